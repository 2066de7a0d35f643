#include "sim/workload/collective_parts.hpp"

namespace longhaul {

double in_sharded_server(const CollectiveCall& call) { return (2 * (members_of(call) - 1) + 1) * members_of(call); }
double in_all_to_all(const CollectiveCall& call) { return (members_of(call) - 1) * members_of(call); }

// Every member serves one shard: all-to-all of B / n, local sum, all-gather of the sums (DT-FM's colocated sharded
// parameter server, arXiv 2206.01288 section 3). In round r member i sends to i + r.
CollectiveResult sharded_server(const CollectiveCall& gradients, TaskletGraphBuilder& graph) {
  CollectiveCall call = gradients;
  call.kind = TaskletKind::gradient_exchange;
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

// Every member keeps one of its n shards and sends each other member one. In round r member i sends to i + r.
CollectiveResult all_to_all(const CollectiveCall& shards, TaskletGraphBuilder& graph) {
  CollectiveCall call = shards;
  call.kind = TaskletKind::gradient_exchange;
  const std::size_t members = call.ranks.size();
  const Bytes shard = call.bytes / static_cast<double>(members);
  CollectiveResult result = call.ready;
  for (std::size_t round = 1; round < members; ++round)
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + round) % members;
      const TaskletId sent = send(call, from, to, shard, graph);
      graph.order(call.ready[from], sent);
      result[to].push_back(sent);
    }
  return result;
}

}  // namespace longhaul
