#include <algorithm>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

// Which stretch of its steps around the ring a collective takes: in step s member i sends shard i - 1 - s and gets i - 2 - s,
// counted modulo the members. After n - 1 steps of adding up it has the sum of shard i, which it sends in step n - 1.
struct Steps {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t own = 0;  // of them, the first ones also wait for what the sender has itself
};

// What member i receives in a step is arrivals[step][i], and it passes that on in the next.
std::vector<std::vector<TaskletId>> ring_steps(const CollectiveCall& call,
                                               const std::vector<std::vector<TaskletId>>& ready, std::size_t round,
                                               const Steps& steps, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const double rounds = ring_rounds(call);
  std::vector<std::vector<TaskletId>> arrivals;
  for (std::size_t step = steps.first; step < steps.first + steps.count; ++step) {
    std::vector<TaskletId> sent(members);
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + 1) % members;
      const std::size_t number = (from + 2 * members - 1 - step) % members;
      const Bytes bytes = shard(call, number) / rounds;
      const Bytes begin = shard_begin(call, number) + bytes * static_cast<double>(round);
      const Merge merge = step < members - 1 ? Merge::adds : Merge::replaces;
      sent[to] = send(call, from, to, {begin, bytes, merge}, graph);
      if (arrivals.size() < steps.own) graph.order(ready[from], sent[to]);
      if (!arrivals.empty()) graph.order(arrivals.back()[from], sent[to]);
    }
    arrivals.push_back(sent);
  }
  return arrivals;
}

void add(const std::vector<TaskletId>& arrivals, CollectiveResult& result) {
  for (std::size_t member = 0; member < arrivals.size(); ++member) result[member].push_back(arrivals[member]);
}

// The longest journey of a shard over n - 1 or 2 (n - 1) hops, all but one or two neighbouring ones of its laps; or the
// busiest member's sending.
Seconds ring_time(const CollectiveCall& call, std::size_t laps) {
  const std::size_t members = call.ranks.size();
  const double rounds = ring_rounds(call);
  const auto steps = static_cast<double>(laps * (members - 1));
  std::vector<Seconds> hops;
  Seconds lap;
  Seconds busiest;
  for (std::size_t from = 0; from < members; ++from) {
    const Hop one = hop(call, from, (from + 1) % members, largest_shard(call) / rounds);
    hops.push_back(one.total());
    lap += one.total();
    busiest = std::max(busiest, one.on_wire * steps + one.latency);
  }
  Seconds left_out = lap * static_cast<double>(laps);
  for (std::size_t i = 0; i < members; ++i)
    left_out = std::min(left_out, laps == 1 ? hops[i] : hops[i] + hops[(i + 1) % members]);
  return std::max(lap * static_cast<double>(laps) - left_out, busiest) * rounds;
}

}  // namespace

double in_half_ring(const CollectiveCall& call) {
  return (members_of(call) - 1) * members_of(call) * ring_rounds(call);
}
double in_ring(const CollectiveCall& call) { return 2 * in_half_ring(call); }

// Reduce-scatter, then all-gather. The first step sends what the member has; the next n - 1 add its own data to what it got, the
// last of them for the shard that it owns; the others pass on. In later rounds the first two steps see to it that everybody has got everything
// of the round before. From the last reduce-scatter step on, every arrival is a finished piece of the sum. (Each has passed
// another member first, so that all of them together also wait for what the member itself gave.)
CollectiveResult ring_all_reduce(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const auto rounds = static_cast<std::size_t>(ring_rounds(call));
  std::vector<std::vector<TaskletId>> ready = call.ready;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::size_t own = round == 0 ? members : 2;
    const auto arrivals = ring_steps(call, ready, round, {0, 2 * (members - 1), own}, graph);
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
    const auto arrivals = ring_steps(call, ready, round, {0, members - 1, members - 1}, graph);
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
    const auto arrivals = ring_steps(call, ready, round, {members - 1, members - 1, 1}, graph);
    for (const std::vector<TaskletId>& step : arrivals) add(step, result);
    ready = call.ready;
    add(arrivals.back(), ready);
  }
  return result;
}

Seconds ring_seconds(const CollectiveCall& call) { return ring_time(call, 2); }
Seconds half_ring_seconds(const CollectiveCall& call) { return ring_time(call, 1); }

}  // namespace longhaul
