#include <algorithm>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

// Every member sends every other one message, as the busiest member can.
template <class BytesBetween>
Seconds exchange_time(const CollectiveCall& gradients, BytesBetween bytes) {
  CollectiveCall call = gradients;
  call.kind = TaskletKind::gradient_exchange;
  const std::size_t members = call.ranks.size();
  std::vector<Seconds> sending(members);
  std::vector<Seconds> receiving(members);
  Seconds latency;
  for (std::size_t from = 0; from < members; ++from)
    for (std::size_t to = 0; to < members; ++to) {
      if (from == to) continue;
      const Hop one = hop(call, from, to, bytes(from, to));
      sending[from] += one.on_wire;
      receiving[to] += one.on_wire;
      latency = std::max(latency, one.latency);
    }
  return latency + std::max(*std::max_element(sending.begin(), sending.end()),
                            *std::max_element(receiving.begin(), receiving.end()));
}

}  // namespace

double in_sharded_server(const CollectiveCall& call) { return (2 * (members_of(call) - 1) + 1) * members_of(call); }
double in_all_to_all(const CollectiveCall& call) { return (members_of(call) - 1) * members_of(call); }

Seconds all_to_all_seconds(const CollectiveCall& call) {
  return exchange_time(call, [&](std::size_t /*from*/, std::size_t to) { return shard(call, to); });
}
Seconds sharded_server_seconds(const CollectiveCall& call) {
  return all_to_all_seconds(call) +
         exchange_time(call, [&](std::size_t from, std::size_t /*to*/) { return shard(call, from); });
}

// Every member serves one shard: all-to-all of B / n, local sum, all-gather of the sums (DT-FM's colocated sharded
// parameter server, arXiv 2206.01288 section 3). In round r member i sends to i + r.
CollectiveResult sharded_server(const CollectiveCall& gradients, TaskletGraphBuilder& graph) {
  CollectiveCall call = gradients;
  call.kind = TaskletKind::gradient_exchange;
  const std::size_t members = call.ranks.size();
  CollectiveResult gathered(members);
  std::vector<TaskletId> sums;
  for (std::size_t member = 0; member < members; ++member) {
    sums.push_back(add_sum(call, member, graph));
    graph.order(call.ready[member], sums.back());
    gathered[member].push_back(sums.back());
  }
  for (std::size_t round = 1; round < members; ++round)
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + round) % members;
      const TaskletId sent = send(call, from, to, {shard_begin(call, to), shard(call, to), Merge::adds}, graph);
      graph.order(call.ready[from], sent);
      graph.order(sent, sums[to]);
    }
  for (std::size_t round = 1; round < members; ++round)
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + round) % members;
      const TaskletId sent =
          send(call, from, to, {shard_begin(call, from), shard(call, from), Merge::replaces}, graph);
      graph.order(sums[from], sent);
      gathered[to].push_back(sent);
    }
  return gathered;
}

// Every member keeps one of its n shards and sends each other member one. In round r member i sends to i + r.
CollectiveResult all_to_all(const CollectiveCall& shards, TaskletGraphBuilder& graph) {
  CollectiveCall call = shards;
  if (call.kind == TaskletKind::gradient_transfer) call.kind = TaskletKind::gradient_exchange;
  const std::size_t members = call.ranks.size();
  CollectiveResult result = call.ready;
  for (std::size_t round = 1; round < members; ++round)
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + round) % members;
      const TaskletId sent = send(call, from, to, {shard_begin(call, to), shard(call, to), Merge::adds}, graph);
      graph.order(call.ready[from], sent);
      result[to].push_back(sent);
    }
  return result;
}

}  // namespace longhaul
