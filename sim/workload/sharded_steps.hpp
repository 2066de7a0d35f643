// ZeRO stages 2 and 3: what replicas send each other with every micro-batch.
#pragma once

#include <vector>

#include "sim/workload/collective.hpp"
#include "sim/workload/pipeline_build.hpp"
#include "sim/workload/sync_group.hpp"

namespace longhaul {

/// The steps of the only stage, on all replicas, sync group by sync group (ZeRO, arXiv 1910.02054 section 7; FSDP). After a
/// group's gradients are computed they are scattered to the replicas that hold them. At stage 3 a group's parameters are
/// gathered before its forward and again before its backward, while the group before it computes: gathering waits for the end
/// of the second computation before and of the last gathering.
class ShardedSteps {
 public:
  /// Keeps a reference. Ranks get a tasklet of no length to start from.
  explicit ShardedSteps(PipelineBuild& build);

  void add(PassSteps& pass, const PipelineStep& step);

  /// Per rank, after what its share of all gradients is there.
  const std::vector<std::vector<TaskletId>>& scattered() const { return scattered_; }

 private:
  CollectiveCall call_of_slice(std::size_t slice) const;
  Bytes bytes_beside(const SyncGroup& group, PipelineStep::Direction direction) const;
  void gather(const SyncGroup& group);
  void scatter(const SyncGroup& group);

  PipelineBuild& build_;
  std::vector<SyncGroup> groups_;                   // from the last layer to the first
  std::vector<std::vector<TaskletId>> computed_;    // per rank, the last computation
  std::vector<std::vector<TaskletId>> may_gather_;  // per rank, the second last, and the last gather
  std::vector<std::vector<TaskletId>> gathered_;    // per rank, the last gather
  std::vector<std::vector<TaskletId>> scattered_;
};

}  // namespace longhaul
