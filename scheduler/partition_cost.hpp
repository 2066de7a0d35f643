// DT-FM's COMM-COST of a partition (arXiv 2206.01288, section 3): the groups matched pairwise and ordered at best.
#pragma once

#include <vector>

#include "scheduler/bottleneck_matching.hpp"
#include "scheduler/cost_model.hpp"
#include "scheduler/open_path.hpp"
#include "scheduler/partition.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// The cost of a partition and the parts it is made of, kept so that a related partition can be scored cheaply.
struct PartitionScore {
  Cost cost;
  std::vector<double> group_load;  // per group: the largest data-parallel load of a device in it, seconds
  std::vector<double> group_edge;  // groups x groups, symmetric: bottleneck matching, seconds; diagonal 0
};

/// Scores partitions into degrees.pipeline groups of degrees.data devices; owns the working memory for it.
class PartitionCost {
 public:
  /// `matrices` must outlive this object.
  PartitionCost(const CostMatrices& matrices, const Degrees& degrees);

  ///   DATAP     = max over groups, max over d of the group, of the sum over its other members of the data-parallel
  ///   edge PIPELINEP = open-loop travelling salesman over the groups, edges = bottleneck perfect matchings
  /// Optimal in both parts up to OpenPath::kExactLimit groups, an upper bound above.
  PartitionScore score(const Partition& partition);

  /// The same result as score(partition), reusing what `known`, the score of `similar`, says about groups that hold
  /// the same devices in both.
  PartitionScore score(const Partition& partition, const Partition& similar, const PartitionScore& known);

  /// A placement, rank of each device, whose cost as laid out is exactly the cost of the partition: stages along the
  /// path, pipelines chained through the matchings and numbered by their device in stage 0.
  std::vector<RankId> layout(const Partition& partition);

 private:
  PartitionScore score_changed(const Partition& partition, const std::vector<bool>& changed, PartitionScore known);
  double load_of_group(const std::uint32_t* members) const;

  const CostMatrices& matrices_;
  Degrees degrees_;
  BottleneckMatcher matcher_;
  OpenPath path_;
};

}  // namespace longhaul
