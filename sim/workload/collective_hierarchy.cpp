#include <algorithm>
#include <map>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

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

Groups groups_of(const CollectiveCall& call) {
  Groups groups = grouped(call.regions, call.ranks.size());
  return groups.size() > 1 ? groups : grouped(call.machines, call.ranks.size());
}

bool are_even(const Groups& groups) {
  return std::all_of(groups.begin(), groups.end(),
                     [&](const std::vector<std::size_t>& group) { return group.size() == groups[0].size(); });
}

// A collective inside each group; where a group has one member it keeps what it has.
CollectiveResult inside(const CollectiveCall& call, const Groups& groups, Bytes bytes, const CollectiveResult& ready,
                        CollectiveResult (*emit)(const CollectiveCall&, TaskletGraphBuilder&),
                        TaskletGraphBuilder& graph) {
  CollectiveResult result = ready;
  for (const std::vector<std::size_t>& group : groups) {
    if (group.size() == 1) continue;
    const CollectiveResult done = emit(part_of(call, group, bytes, ready), graph);
    for (std::size_t i = 0; i < group.size(); ++i) result[group[i]] = done[i];
  }
  return result;
}

// The members that stand k-th in their groups, for every k.
Groups across(const Groups& groups) {
  Groups peers(groups[0].size());
  for (const std::vector<std::size_t>& group : groups)
    for (std::size_t k = 0; k < peers.size(); ++k) peers[k].push_back(group[k]);
  return peers;
}

Groups leaders_of(const Groups& groups) {
  Groups leaders(1);
  for (const std::vector<std::size_t>& group : groups) leaders[0].push_back(group[0]);
  return leaders;
}

double inside(const CollectiveCall& call, const Groups& groups, Bytes bytes,
              double (*tasklets)(const CollectiveCall&)) {
  double sum = 0;
  CollectiveCall part;
  part.bytes = bytes;
  part.chunk = call.chunk;
  part.ring_chunk = call.ring_chunk;
  for (const std::vector<std::size_t>& group : groups) {
    part.ranks.resize(group.size());
    if (group.size() > 1) sum += tasklets(part);
  }
  return sum;
}

}  // namespace

CollectiveResult hierarchical_ring(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const Groups groups = groups_of(call);
  if (are_even(groups)) {
    const CollectiveResult scattered = inside(call, groups, call.bytes, call.ready, reduce_scatter, graph);
    const Bytes shard = call.bytes / static_cast<double>(groups[0].size());
    const CollectiveResult summed = inside(call, across(groups), shard, scattered, ring_all_reduce, graph);
    return inside(call, groups, call.bytes, summed, all_gather, graph);
  }
  const CollectiveResult reduced = inside(call, groups, call.bytes, call.ready, reduce, graph);
  const CollectiveResult summed = inside(call, leaders_of(groups), call.bytes, reduced, ring_all_reduce, graph);
  return inside(call, groups, call.bytes, summed, broadcast, graph);
}

double in_hierarchical_ring(const CollectiveCall& call) {
  const Groups groups = groups_of(call);
  if (are_even(groups))
    return 2 * inside(call, groups, call.bytes, in_half_ring) +
           inside(call, across(groups), call.bytes / static_cast<double>(groups[0].size()), in_ring);
  return inside(call, groups, call.bytes, in_reduce) + inside(call, leaders_of(groups), call.bytes, in_ring) +
         inside(call, groups, call.bytes, in_chain);
}

}  // namespace longhaul
