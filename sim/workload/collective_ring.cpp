#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

// Steps around the ring in group order, `piece` bytes each: what member i receives in a step is arrivals[step][i], and it
// passes that on in the next. In the first `own_steps` steps a send also waits for what the member has itself.
std::vector<std::vector<TaskletId>> ring_steps(const CollectiveCall& call,
                                               const std::vector<std::vector<TaskletId>>& ready, Bytes piece,
                                               std::size_t steps, std::size_t own_steps, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  std::vector<std::vector<TaskletId>> arrivals;
  for (std::size_t step = 0; step < steps; ++step) {
    std::vector<TaskletId> sent(members);
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + 1) % members;
      sent[to] = send(call, from, to, piece, graph);
      if (step < own_steps) graph.order(ready[from], sent[to]);
      if (step >= 1) graph.order(arrivals.back()[from], sent[to]);
    }
    arrivals.push_back(sent);
  }
  return arrivals;
}

Bytes ring_piece(const CollectiveCall& call) { return call.bytes / members_of(call) / ring_rounds(call); }

void add(const std::vector<TaskletId>& arrivals, CollectiveResult& result) {
  for (std::size_t member = 0; member < arrivals.size(); ++member) result[member].push_back(arrivals[member]);
}

}  // namespace

double in_half_ring(const CollectiveCall& call) {
  return (members_of(call) - 1) * members_of(call) * ring_rounds(call);
}
double in_ring(const CollectiveCall& call) { return 2 * in_half_ring(call); }

// Reduce-scatter, then all-gather. The first step sends what the member has; the second adds its own data to what it got;
// the others pass on. From the last reduce-scatter step on, every arrival is a finished piece of the sum. (Each has passed
// another member first, so that all of them together also wait for what the member itself gave.)
CollectiveResult ring_all_reduce(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const auto rounds = static_cast<std::size_t>(ring_rounds(call));
  std::vector<std::vector<TaskletId>> ready = call.ready;
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto arrivals = ring_steps(call, ready, ring_piece(call), 2 * (members - 1), 2, graph);
    ready.assign(members, {});
    for (std::size_t step = members - 2; step < arrivals.size(); ++step) add(arrivals[step], ready);
  }
  return ready;
}

// What arrives in the last step is the sum of the member's shard but for its own data.
CollectiveResult reduce_scatter(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const auto rounds = static_cast<std::size_t>(ring_rounds(call));
  CollectiveResult result = call.ready;
  std::vector<std::vector<TaskletId>> ready = call.ready;
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto arrivals = ring_steps(call, ready, ring_piece(call), members - 1, members - 1, graph);
    add(arrivals.back(), result);
    ready = call.ready;
    add(arrivals.back(), ready);
  }
  return result;
}

CollectiveResult all_gather(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const auto rounds = static_cast<std::size_t>(ring_rounds(call));
  CollectiveResult result = call.ready;
  std::vector<std::vector<TaskletId>> ready = call.ready;
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto arrivals = ring_steps(call, ready, ring_piece(call), members - 1, 1, graph);
    for (const std::vector<TaskletId>& step : arrivals) add(step, result);
    ready.assign(members, {});
    add(arrivals.back(), ready);
  }
  return result;
}

}  // namespace longhaul
