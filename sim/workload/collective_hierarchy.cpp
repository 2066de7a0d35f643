#include <algorithm>
#include <map>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;
using Places = std::vector<std::size_t> CollectiveCall::*;
using Levels = std::vector<Places>;  // from the innermost

// The members by what they share, both in the order of the call.
Groups grouped(const std::vector<std::size_t>& shared, std::size_t members) {
  if (shared.empty()) {
    Groups all(1);
    for (std::size_t member = 0; member < members; ++member) all[0].push_back(member);
    return all;
  }
  Groups groups;
  std::map<std::size_t, std::size_t> numbers;
  for (std::size_t member = 0; member < members; ++member) {
    const std::size_t group = numbers.emplace(shared[member], groups.size()).first->second;
    if (group == groups.size()) groups.emplace_back();
    groups[group].push_back(member);
  }
  return groups;
}

// A stretch of the bytes, and who holds it after a reduce-scatter inside each group: a member of each.
struct Stretch {
  Bytes begin;
  Bytes bytes;
  std::vector<std::size_t> holders;
};

// Where the shards of a group end, as shares of all; equal ones in a group that owns nothing.
std::vector<double> ends_of(const CollectiveCall& call, const std::vector<std::size_t>& group) {
  double owned = 0;
  for (const std::size_t member : group) owned += call.shares.empty() ? 1 : call.shares[member];
  std::vector<double> ends;
  double sum = 0;
  for (const std::size_t member : group)
    ends.push_back(sum += call.shares.empty() || owned == 0 ? 1 : call.shares[member]);
  for (double& end : ends) end /= sum;
  return ends;
}

std::vector<Stretch> even_stretches(const CollectiveCall& call, const Groups& groups) {
  const std::size_t size = groups[0].size();
  std::vector<Stretch> stretches(size);
  for (std::size_t k = 0; k < size; ++k) {
    stretches[k].bytes = call.bytes / static_cast<double>(size);
    stretches[k].begin = stretches[k].bytes * static_cast<double>(k);
    for (const std::vector<std::size_t>& group : groups) stretches[k].holders.push_back(group[k]);
  }
  return stretches;
}

// The bytes, cut wherever a group cuts them.
std::vector<Stretch> stretches_of(const CollectiveCall& call, const Groups& groups) {
  constexpr double least = 1e-9;  // share; less is rounding
  const bool even = call.shares.empty() && std::all_of(groups.begin(), groups.end(), [&](const auto& group) {
                      return group.size() == groups[0].size();
                    });
  if (even) return even_stretches(call, groups);
  std::vector<std::vector<double>> ends;
  std::vector<double> cuts;
  for (const std::vector<std::size_t>& group : groups) {
    ends.push_back(ends_of(call, group));
    cuts.insert(cuts.end(), ends.back().begin(), ends.back().end());
  }
  std::sort(cuts.begin(), cuts.end());
  std::vector<Stretch> stretches;
  double from = 0;
  for (const double to : cuts) {
    if (to - from < least) continue;
    Stretch stretch{call.bytes * from, call.bytes * (to - from), {}};
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const auto holder = std::upper_bound(ends[group].begin(), ends[group].end(), (from + to) / 2);
      stretch.holders.push_back(groups[group][static_cast<std::size_t>(holder - ends[group].begin())]);
    }
    stretches.push_back(std::move(stretch));
    from = to;
  }
  return stretches;
}

// One level: what happens inside groups, and after that across them.
struct Level {
  Groups groups;
  std::vector<Stretch> stretches;
  Levels others;
};

Level level_of(const CollectiveCall& call, const Levels& levels) {
  Level level;
  level.groups = grouped(call.*levels.front(), call.ranks.size());
  level.stretches = stretches_of(call, level.groups);
  level.others.assign(levels.begin() + 1, levels.end());
  return level;
}

// A collective inside each group; where a group has one member it keeps what it has.
CollectiveResult inside(const CollectiveCall& call, const Groups& groups, const CollectiveResult& ready,
                        CollectiveResult (*emit)(const CollectiveCall&, TaskletGraphBuilder&),
                        TaskletGraphBuilder& graph) {
  CollectiveResult result = ready;
  for (const std::vector<std::size_t>& group : groups) {
    if (group.size() == 1) continue;
    const CollectiveResult done = emit(part_of(call, group, Bytes(), call.bytes, ready), graph);
    for (std::size_t i = 0; i < group.size(); ++i) result[group[i]] = done[i];
  }
  return result;
}

CollectiveResult all_reduce(const CollectiveCall& call, const Levels& levels, TaskletGraphBuilder& graph) {
  if (levels.empty()) return ring_all_reduce(call, graph);
  const Level level = level_of(call, levels);
  const CollectiveResult scattered = inside(call, level.groups, call.ready, reduce_scatter, graph);
  CollectiveResult summed(call.ranks.size());
  for (const Stretch& stretch : level.stretches) {
    const CollectiveCall part = part_of(call, stretch.holders, stretch.begin, stretch.bytes, scattered);
    const CollectiveResult done = part.ranks.size() == 1 ? part.ready : all_reduce(part, level.others, graph);
    for (std::size_t i = 0; i < stretch.holders.size(); ++i) {
      std::vector<TaskletId>& own = summed[stretch.holders[i]];
      own.insert(own.end(), done[i].begin(), done[i].end());
    }
  }
  return inside(call, level.groups, summed, all_gather, graph);
}

double tasklets(const CollectiveCall& call, const Levels& levels) {
  if (levels.empty()) return in_ring(call);
  const Level level = level_of(call, levels);
  const std::vector<std::vector<TaskletId>> ready(call.ranks.size());
  double sum = 0;
  for (const std::vector<std::size_t>& group : level.groups)
    if (group.size() > 1) sum += 2 * in_half_ring(part_of(call, group, Bytes(), call.bytes, ready));
  for (const Stretch& stretch : level.stretches)
    if (stretch.holders.size() > 1)
      sum += tasklets(part_of(call, stretch.holders, stretch.begin, stretch.bytes, ready), level.others);
  return sum;
}

// The slowest group inside, there and back, and the slowest stretch across. A member of several stretches passes their bytes
// one after the other, their latencies together.
Seconds seconds(const CollectiveCall& call, const Levels& levels) {
  if (levels.empty()) return ring_seconds(call);
  const Level level = level_of(call, levels);
  const std::vector<std::vector<TaskletId>> ready(call.ranks.size());
  Seconds within;
  for (const std::vector<std::size_t>& group : level.groups)
    if (group.size() > 1)
      within = std::max(within, half_ring_seconds(part_of(call, group, Bytes(), call.bytes, ready)));
  std::vector<Bytes> held(call.ranks.size());
  for (const Stretch& stretch : level.stretches)
    for (const std::size_t holder : stretch.holders) held[holder] += stretch.bytes;
  Seconds across;
  for (const Stretch& stretch : level.stretches) {
    if (stretch.holders.size() == 1) continue;
    Bytes busiest;
    for (const std::size_t holder : stretch.holders) busiest = std::max(busiest, held[holder]);
    across = std::max(across, seconds(part_of(call, stretch.holders, stretch.begin, busiest, ready), level.others));
  }
  return within * 2 + across;
}

Levels two_levels(const CollectiveCall& call) {
  const bool many_regions = grouped(call.regions, call.ranks.size()).size() > 1;
  return {many_regions ? &CollectiveCall::regions : &CollectiveCall::machines};
}

Levels three_levels() { return {&CollectiveCall::machines, &CollectiveCall::regions}; }

}  // namespace

CollectiveResult hierarchical_ring(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  return all_reduce(call, two_levels(call), graph);
}
CollectiveResult hierarchical_ring_3(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  return all_reduce(call, three_levels(), graph);
}
double in_hierarchical_ring(const CollectiveCall& call) { return tasklets(call, two_levels(call)); }
double in_hierarchical_ring_3(const CollectiveCall& call) { return tasklets(call, three_levels()); }
Seconds hierarchical_ring_seconds(const CollectiveCall& call) { return seconds(call, two_levels(call)); }
Seconds hierarchical_ring_3_seconds(const CollectiveCall& call) { return seconds(call, three_levels()); }

}  // namespace longhaul
