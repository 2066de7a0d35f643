#include "sim/workload/collective_parts.hpp"

#include <algorithm>
#include <numeric>

namespace longhaul {
namespace {

// Chunks flow along a chain of members; each is passed on when it has arrived (and, reducing, when the member's own
// data is ready). Adds what arrives to arrivals[member].
void chain(const CollectiveCall& call, const std::vector<std::size_t>& order,
           const std::vector<std::vector<TaskletId>>& ready, Merge merge, TaskletGraphBuilder& graph,
           CollectiveResult& arrivals) {
  const auto chunks = static_cast<std::size_t>(pieces(call.bytes, call.chunk));
  const Bytes piece = call.bytes / static_cast<double>(chunks);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    for (std::size_t hop = 0; hop + 1 < order.size(); ++hop) {
      const std::size_t from = order[hop];
      const TaskletId sent =
          send(call, from, order[hop + 1], {piece * static_cast<double>(chunk), piece, merge}, graph);
      graph.order(ready[from], sent);
      if (hop > 0) graph.order(arrivals[from][chunk], sent);
      arrivals[order[hop + 1]].push_back(sent);
    }
  }
}

std::vector<std::size_t> downwards(std::size_t members) {
  std::vector<std::size_t> order(members);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<std::size_t> upwards(std::size_t members) {
  std::vector<std::size_t> order = downwards(members);
  std::rotate(order.begin(), order.begin() + 1, order.end());
  return order;
}

// One chunk's way, then the others at the pace of the slowest hop.
Seconds chain_time(const CollectiveCall& call, const std::vector<std::size_t>& order) {
  const double chunks = pieces(call.bytes, call.chunk);
  Seconds way;
  Seconds slowest;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const Hop one = hop(call, order[i], order[i + 1], call.bytes / chunks);
    way += one.total();
    slowest = std::max(slowest, one.on_wire);
  }
  return way + slowest * (chunks - 1);
}

}  // namespace

double in_chain(const CollectiveCall& call) { return (members_of(call) - 1) * pieces(call.bytes, call.chunk); }
double in_reduce(const CollectiveCall& call) { return in_chain(call) + 1; }
double in_central_server(const CollectiveCall& call) { return in_chain(call) + in_reduce(call); }

Seconds chain_seconds(const CollectiveCall& call) { return chain_time(call, downwards(call.ranks.size())); }
Seconds reduce_seconds(const CollectiveCall& call) { return chain_time(call, upwards(call.ranks.size())); }
Seconds central_server_seconds(const CollectiveCall& call) { return reduce_seconds(call) + chain_seconds(call); }

// Member 0's data along 0, 1, …, n - 1.
CollectiveResult broadcast(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  std::vector<std::vector<TaskletId>> ready(members);
  ready[0] = call.ready[0];
  CollectiveResult received(members);
  chain(call, downwards(members), ready, Merge::replaces, graph, received);
  received[0] = call.ready[0];
  return received;
}

// The sum to member 0 along NCCL's ring 1, 2, …, n - 1, 0.
CollectiveResult reduce(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  CollectiveResult reduced(members);
  chain(call, upwards(members), call.ready, Merge::adds, graph, reduced);
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
