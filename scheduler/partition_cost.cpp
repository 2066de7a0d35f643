#include "scheduler/partition_cost.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {

PartitionCost::PartitionCost(const CostMatrices& matrices, const Degrees& degrees)
    : matrices_(matrices), degrees_(degrees), matcher_(degrees.data), path_(degrees.pipeline) {
  require(degrees.ranks() == matrices.size, "a partition needs one rank per device");
}

PartitionScore PartitionCost::score(const Partition& partition) {
  const std::size_t groups = degrees_.pipeline;
  const PartitionScore nothing{Cost{}, std::vector<double>(groups, 0), std::vector<double>(groups * groups, 0)};
  return score_changed(partition, std::vector<bool>(groups, true), nothing);
}

PartitionScore PartitionCost::score(const Partition& partition, const Partition& similar,
                                    const PartitionScore& known) {
  require(partition.groups == similar.groups && partition.group_of_device.size() == similar.group_of_device.size(),
          "only partitions of one shape can be compared");
  std::vector<bool> changed(degrees_.pipeline, false);
  bool any = false;
  for (std::size_t device = 0; device < partition.group_of_device.size(); ++device) {
    if (partition.group_of_device[device] == similar.group_of_device[device]) continue;
    changed[partition.group_of_device[device]] = changed[similar.group_of_device[device]] = any = true;
  }
  return any ? score_changed(partition, changed, known) : known;
}

PartitionScore PartitionCost::score_changed(const Partition& partition, const std::vector<bool>& changed,
                                            PartitionScore known) {
  const std::size_t groups = degrees_.pipeline;
  const std::size_t size = degrees_.data;
  const std::vector<std::uint32_t> members = members_by_group(partition);
  for (std::size_t a = 0; a < groups; ++a) {
    if (changed[a]) known.group_load[a] = load_of_group(members.data() + a * size);
    for (std::size_t b = a + 1; b < groups; ++b) {
      if (!changed[a] && !changed[b]) continue;
      known.group_edge[a * groups + b] = known.group_edge[b * groups + a] = matcher_.match(
          matrices_.pipeline.data(), matrices_.size, members.data() + a * size, members.data() + b * size);
    }
  }
  known.cost.data_parallel = Seconds(*std::max_element(known.group_load.begin(), known.group_load.end()));
  known.cost.pipeline = Seconds(path_.solve(known.group_edge.data()));
  return known;
}

double PartitionCost::load_of_group(const std::uint32_t* members) const {
  double largest = 0;
  for (std::size_t i = 0; i < degrees_.data; ++i) {
    const double* edges = matrices_.data_parallel.data() + members[i] * matrices_.size;
    double load = 0;
    for (std::size_t j = 0; j < degrees_.data; ++j) load += edges[members[j]];
    largest = std::max(largest, load);
  }
  return largest;
}

std::vector<RankId> PartitionCost::layout(const Partition& partition) {
  path_.solve(score(partition).group_edge.data());
  const std::vector<std::uint32_t> order = path_.order();
  const std::vector<std::uint32_t> members = members_by_group(partition);
  const std::size_t size = degrees_.data;

  std::vector<RankId> rank_of_device(matrices_.size);
  std::vector<std::size_t> replica_of_member(size);  // of the group last placed
  for (std::size_t i = 0; i < size; ++i) replica_of_member[i] = i;
  for (std::size_t stage = 0; stage < order.size(); ++stage) {
    const std::uint32_t* group = members.data() + order[stage] * size;
    if (stage > 0) {
      const std::uint32_t* before = members.data() + order[stage - 1] * size;
      matcher_.match(matrices_.pipeline.data(), matrices_.size, before, group);
      std::vector<std::size_t> replica_of_partner(size);
      for (std::size_t i = 0; i < size; ++i) replica_of_partner[matcher_.partners()[i]] = replica_of_member[i];
      replica_of_member = std::move(replica_of_partner);
    }
    for (std::size_t i = 0; i < size; ++i)
      rank_of_device[group[i]] = degrees_.rank(Replica(replica_of_member[i]), Stage(stage));
  }
  return rank_of_device;
}

}  // namespace longhaul
