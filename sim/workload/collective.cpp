#include "sim/workload/collective.hpp"

#include <algorithm>
#include <cmath>

namespace longhaul {
namespace {

TaskletId send(const CollectiveCall& call, std::size_t from, std::size_t to, Bytes bytes,
               TaskletGraphBuilder& graph) {
  Tasklet transfer;
  transfer.kind = call.kind;
  transfer.messages = call.messages;
  transfer.rank = call.ranks[from];
  transfer.device = call.devices[from];
  transfer.target = call.devices[to];
  transfer.bytes = bytes;
  return graph.add(transfer);
}

// The moment a member has summed what it got; the adding itself costs no time worth counting.
TaskletId add_sum(const CollectiveCall& call, std::size_t member, TaskletGraphBuilder& graph) {
  Tasklet sum;
  sum.kind = TaskletKind::reduction;
  sum.rank = call.ranks[member];
  sum.device = sum.target = call.devices[member];
  return graph.add(sum);
}

// Reduce-scatter, then all-gather around the ring in group order: 2 (n - 1) steps of B / n bytes, each
// 2 (n - 1) (alpha + B / (n beta)) on equal links (Patarasuk and Yuan 2009).
CollectiveResult ring_all_reduce(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const Bytes piece = call.bytes / static_cast<double>(members);
  std::vector<TaskletId> arrived(members);  // the piece that member i received in the last step
  CollectiveResult result(members);
  for (std::size_t step = 0; step < 2 * (members - 1); ++step) {
    std::vector<TaskletId> sent(members);
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + 1) % members;
      sent[to] = send(call, from, to, piece, graph);
      // The first step sends what the member has; the second adds its own data to what it got; the others pass on.
      if (step <= 1) graph.order(call.ready[from], sent[to]);
      if (step >= 1) graph.order(arrived[from], sent[to]);
    }
    arrived = sent;
    // From the last reduce-scatter step on, every arrival is a finished piece of the sum.
    if (step + 2 >= members)
      for (std::size_t member = 0; member < members; ++member) result[member].push_back(arrived[member]);
  }
  // The last reduce-scatter arrival is summed with the member's own data.
  for (std::size_t member = 0; member < members; ++member)
    result[member].insert(result[member].end(), call.ready[member].begin(), call.ready[member].end());
  return result;
}

// Chunks flow along a chain of members; each is passed on when it has arrived (and, reducing, when the member's own
// data is ready). Adds what arrives to arrivals[member].
void chain(const CollectiveCall& call, const std::vector<std::size_t>& order,
           const std::vector<std::vector<TaskletId>>& ready, TaskletGraphBuilder& graph, CollectiveResult& arrivals) {
  const auto chunks = static_cast<std::size_t>(std::max(1.0, std::ceil(call.bytes.value / call.chunk.value)));
  const Bytes piece = call.bytes / static_cast<double>(chunks);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    for (std::size_t hop = 0; hop + 1 < order.size(); ++hop) {
      const std::size_t from = order[hop];
      const TaskletId sent = send(call, from, order[hop + 1], piece, graph);
      graph.order(ready[from], sent);
      if (hop > 0) graph.order(arrivals[from][chunk], sent);
      arrivals[order[hop + 1]].push_back(sent);
    }
  }
}

// NCCL reduce to member 0 along the ring 1, 2, …, n - 1, 0, then broadcast along 0, 1, …, n - 1. The broadcast starts
// when the reduce is complete: they are two calls.
CollectiveResult central_server(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  std::vector<std::size_t> up;
  std::vector<std::size_t> down;
  for (std::size_t i = 0; i < members; ++i) {
    up.push_back((i + 1) % members);
    down.push_back(i);
  }
  CollectiveResult reduced(members);
  chain(call, up, call.ready, graph, reduced);

  const TaskletId sum = add_sum(call, 0, graph);
  graph.order(reduced[0], sum);
  graph.order(call.ready[0], sum);
  std::vector<std::vector<TaskletId>> ready(members);
  ready[0] = {sum};
  CollectiveResult received(members);
  chain(call, down, ready, graph, received);
  received[0] = {sum};
  return received;
}

// Every member serves one shard: all-to-all of B / n, local sum, all-gather of the sums (DT-FM's colocated sharded
// parameter server, arXiv 2206.01288 section 3). In round r member i sends to i + r.
CollectiveResult sharded_server(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const Bytes shard = call.bytes / static_cast<double>(members);
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
      const TaskletId sent = send(call, from, to, shard, graph);
      graph.order(call.ready[from], sent);
      graph.order(sent, sums[to]);
    }
  for (std::size_t round = 1; round < members; ++round)
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + round) % members;
      const TaskletId sent = send(call, from, to, shard, graph);
      graph.order(sums[from], sent);
      gathered[to].push_back(sent);
    }
  return gathered;
}

}  // namespace

const std::vector<Collective>& collectives() {
  static const std::vector<Collective> table{
      {"central_server", "reduce to replica 0, then broadcast, chunk by chunk along a chain", central_server},
      {"sharded_server", "every replica sums one shard: all-to-all, sum, all-gather", sharded_server},
      {"ring_all_reduce", "reduce-scatter, then all-gather around a ring", ring_all_reduce},
  };
  return table;
}

const Collective* find_collective(const std::string& name) {
  for (const Collective& collective : collectives())
    if (name == collective.name) return &collective;
  return nullptr;
}

}  // namespace longhaul
