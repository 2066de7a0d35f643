#include "sim/workload/sharded_steps.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/workload/gradient_sync.hpp"
#include "sim/workload/sync_call.hpp"

namespace longhaul {

using Direction = PipelineStep::Direction;

ShardedSteps::ShardedSteps(PipelineBuild& build)
    : build_(build),
      groups_(sync_groups_of(build.job, build.plan, Stage(0))),
      gathered_(build.plan.ranks()),
      scattered_(build.plan.ranks()) {
  require(build.plan.degrees.pipeline == 1, "gradients are sharded beside a pipeline");
  for (std::size_t rank = 0; rank < scattered_.size(); ++rank) {
    const TaskletId start = build_.graph.add(build_.local(TaskletKind::reduction, RankId(rank)));
    build_.graph.order(build_.last[rank], start);
    build_.last[rank] = {start};
  }
  computed_ = may_gather_ = build_.last;
}

void ShardedSteps::add(PassSteps& pass, const PipelineStep& step) {
  std::vector<SyncGroup> groups = groups_;
  if (step.direction == Direction::forward) std::reverse(groups.begin(), groups.end());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const SyncGroup& group = groups[i];
    if (build_.plan.zero == 3 && step.direction != Direction::weight_gradient) gather(group);
    const StepPart part{share_of(group, step.direction), group.layers, i == 0, i + 1 == groups.size(),
                        bytes_beside(group, step.direction)};
    for (std::size_t replica = 0; replica < build_.plan.degrees.data; ++replica)
      pass.add(Replica(replica), Stage(0), step, part);
    may_gather_ = std::exchange(computed_, build_.last);
    for (std::size_t rank = 0; rank < gathered_.size(); ++rank)
      may_gather_[rank].insert(may_gather_[rank].end(), gathered_[rank].begin(), gathered_[rank].end());
    if (step.direction == completing_direction(build_.schedule)) scatter(group);
  }
}

CollectiveCall ShardedSteps::call_of_slice(std::size_t slice) const {
  const std::vector<RankId> ranks = build_.layout().copies(Stage(0), slice);
  return sync_call(build_.plan, ranks, slice, build_.times.devices(), build_.platform, build_.network);
}

// Neighbouring groups are gathered and scattered meanwhile: as much as the group itself.
Bytes ShardedSteps::bytes_beside(const SyncGroup& group, Direction direction) const {
  if (build_.network.overlap_cost == 0) return {};
  const Degrees& degrees = build_.plan.degrees;
  const auto members = static_cast<double>(degrees.copies());
  const double gathers = build_.plan.zero == 3 && direction != Direction::weight_gradient ? 1 : 0;
  const double scatters = direction == completing_direction(build_.schedule) ? 1 : 0;
  return build_.times.load(RankId(0)).gradient / static_cast<double>(degrees.tensor) * group.gradient_share *
         ((members - 1) / members * (gathers + scatters));
}

void ShardedSteps::gather(const SyncGroup& group) {
  const auto slices = static_cast<double>(build_.plan.degrees.tensor);
  for (std::size_t slice = 0; slice < build_.plan.degrees.tensor; ++slice) {
    CollectiveCall call = call_of_slice(slice);
    for (std::size_t member = 0; member < call.ranks.size(); ++member)
      call.ready[member] = may_gather_[call.ranks[member].value];
    const CollectiveResult done = emit_parameter_gather(
        call, build_.times.load(RankId(0)).gradient / slices * group.gradient_share, build_.graph);
    for (std::size_t member = 0; member < call.ranks.size(); ++member) {
      std::vector<TaskletId>& last = build_.last[call.ranks[member].value];
      last.insert(last.end(), done[member].begin(), done[member].end());
      gathered_[call.ranks[member].value] = done[member];
    }
  }
}

void ShardedSteps::scatter(const SyncGroup& group) {
  const auto slices = static_cast<double>(build_.plan.degrees.tensor);
  for (std::size_t slice = 0; slice < build_.plan.degrees.tensor; ++slice) {
    CollectiveCall call = call_of_slice(slice);
    for (std::size_t member = 0; member < call.ranks.size(); ++member)
      call.ready[member] = build_.last[call.ranks[member].value];
    const CollectiveResult done =
        emit_gradient_call(build_.job, build_.plan, call,
                           build_.times.load(RankId(0)).gradient / slices * group.gradient_share, build_.graph);
    for (std::size_t member = 0; member < call.ranks.size(); ++member) {
      std::vector<TaskletId>& scattered = scattered_[call.ranks[member].value];
      scattered.insert(scattered.end(), done[member].begin(), done[member].end());
    }
  }
}

}  // namespace longhaul
