#include "sim/workload/collective_parts.hpp"

#include <numeric>

namespace longhaul {
namespace {

// Chunks flow along a chain of members; each is passed on when it has arrived (and, reducing, when the member's own
// data is ready). Adds what arrives to arrivals[member].
void chain(const CollectiveCall& call, const std::vector<std::size_t>& order,
           const std::vector<std::vector<TaskletId>>& ready, TaskletGraphBuilder& graph, CollectiveResult& arrivals) {
  const auto chunks = static_cast<std::size_t>(pieces(call.bytes, call.chunk));
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

}  // namespace

double in_chain(const CollectiveCall& call) { return (members_of(call) - 1) * pieces(call.bytes, call.chunk); }
double in_reduce(const CollectiveCall& call) { return in_chain(call) + 1; }
double in_central_server(const CollectiveCall& call) { return in_chain(call) + in_reduce(call); }

// Member 0's data along 0, 1, …, n - 1.
CollectiveResult broadcast(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  std::vector<std::size_t> down(members);
  std::iota(down.begin(), down.end(), 0);
  std::vector<std::vector<TaskletId>> ready(members);
  ready[0] = call.ready[0];
  CollectiveResult received(members);
  chain(call, down, ready, graph, received);
  received[0] = call.ready[0];
  return received;
}

// The sum to member 0 along NCCL's ring 1, 2, …, n - 1, 0.
CollectiveResult reduce(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  std::vector<std::size_t> up;
  for (std::size_t i = 0; i < members; ++i) up.push_back((i + 1) % members);
  CollectiveResult reduced(members);
  chain(call, up, call.ready, graph, reduced);
  const TaskletId sum = add_sum(call, 0, graph);
  graph.order(reduced[0], sum);
  graph.order(call.ready[0], sum);
  CollectiveResult result = call.ready;  // the others are through when they have sent
  result[0] = {sum};
  return result;
}

// A reduce to member 0, then a broadcast from it: two calls, the second starts when the first is complete.
CollectiveResult central_server(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  CollectiveCall down = call;
  down.ready = reduce(call, graph);
  return broadcast(down, graph);
}

}  // namespace longhaul
