#include "sim/workload/pipeline_workload.hpp"

#include <optional>

#include "sim/workload/barrier.hpp"
#include "sim/workload/gradient_sync.hpp"
#include "sim/workload/pipeline_build.hpp"
#include "sim/workload/sharded_steps.hpp"
#include "sim/workload/sync_call.hpp"

namespace longhaul {
namespace {

using Direction = PipelineStep::Direction;

class PipelineWorkload {
 public:
  PipelineWorkload(const Job& job, const Plan& plan, const PlatformView& platform, const NetworkModel& network)
      : build_(job, plan, platform, network),
        plan_(plan),
        degrees_(plan.degrees),
        completing_(completing_direction(build_.schedule)),
        complete_(plan.degrees.ranks()) {
    for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage) {
      chunks_.push_back(parts_of_stage(job, plan, Stage(stage)));
      groups_.push_back(sync_groups_of(job, plan, Stage(stage)));
      steps_.push_back(build_.schedule.steps(Stage(stage), shape_of(plan)));
    }
  }

  TaskletGraph build() {
    const std::size_t steps = plan_.passes * steps_.front().size() * degrees_.ranks();  // and nearly as many messages
    build_.graph.reserve(2 * steps, plan_.synchronous_transfers ? 5 * steps : 3 * steps);
    if (plan_.phase_barrier) add_barrier();
    if (plan_.sharding() >= 2) sharded_.emplace(build_);
    for (std::size_t pass = 0; pass < plan_.passes; ++pass) add_pass(pass);
    for (std::size_t rank = 0; rank < complete_.size(); ++rank) complete_[rank].push_back(build_.last[rank]);
    for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage)
      for (std::size_t slice = 0; slice < degrees_.tensor; ++slice) add_gradient_sync(Stage(stage), slice);
    for (std::size_t rank = 0; rank < complete_.size(); ++rank) add_weight_update(RankId(rank));
    if (plan_.sharding() == 1 || plan_.sharding() == 2) gather_updated_parameters();
    if (plan_.phase_barrier) add_barrier();
    return build_.graph.build();
  }

 private:
  void add_barrier() {
    const std::vector<TaskletId> departures = emit_barrier(build_.times.devices(), build_.last, build_.graph);
    for (std::size_t rank = 0; rank < departures.size(); ++rank) build_.last[rank] = {departures[rank]};
  }

  void add_pass(std::size_t pass) {
    PassSteps steps(build_, pass);
    const bool completes = pass + 1 == plan_.passes;
    const std::size_t all = steps_.front().size();
    if (plan_.phase_barrier) {
      add_steps(steps, completes, 0, all / 2);
      add_barrier();
      add_steps(steps, completes, all / 2, all);
    } else {
      add_steps(steps, completes, 0, all);
    }
    emit_activation_messages(build_, steps);
  }

  // The computations of all ranks from one position of their schedules to another, each stage's in a row.
  void add_steps(PassSteps& pass, bool completes, std::size_t from, std::size_t to) {
    if (sharded_) {
      for (std::size_t i = from; i < to; ++i) sharded_->add(pass, steps_.front()[i]);
      return;
    }
    for (std::size_t replica = 0; replica < degrees_.data; ++replica)
      for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage)
        for (std::size_t i = from; i < to; ++i) {
          const PipelineStep& step = steps_[stage][i];
          const bool completes_chunk =
              completes && step.direction == completing_ && step.micro_batch + 1 == plan_.micro_batches;
          if (completes_chunk && groups_[stage].size() > 1)
            add_in_groups(pass, Replica(replica), Stage(stage), step);
          else
            pass.add(Replica(replica), Stage(stage), step, whole(Stage(stage), step));
        }
  }

  StepPart whole(Stage stage, const PipelineStep& step) const {
    const StagePart& chunk = chunks_[stage.value][step.chunk];
    return {share_of(chunk, step.direction), chunk.layers, true, true};
  }

  // The computation that completes the gradients of a chunk, sync group by sync group. The end of the last group is known
  // when the pass is complete.
  void add_in_groups(PassSteps& pass, Replica replica, Stage stage, const PipelineStep& step) {
    const std::vector<SyncGroup>& groups = groups_[stage.value];
    bool first = true;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].chunk != step.chunk) continue;
      const bool last_of_all = i + 1 == groups.size();
      const bool last = last_of_all || groups[i + 1].chunk != step.chunk;
      pass.add(replica, stage, step, {share_of(groups[i], step.direction), groups[i].layers, first, last});
      first = false;
      if (last_of_all) continue;
      for (std::size_t slice = 0; slice < degrees_.tensor; ++slice) {
        const RankId rank = degrees_.rank(replica, stage, slice);
        complete_[rank.value].push_back(build_.last[rank.value]);
      }
    }
  }

  void add_gradient_sync(Stage stage, std::size_t slice) {
    if (degrees_.data == 1) return;
    if (sharded_) {
      for (std::size_t replica = 0; replica < degrees_.data; ++replica) {
        const RankId rank = degrees_.rank(Replica(replica), stage, slice);
        const std::vector<TaskletId>& scattered = sharded_->scattered()[rank.value];
        build_.last[rank.value].insert(build_.last[rank.value].end(), scattered.begin(), scattered.end());
      }
      return;
    }
    const CollectiveCall call =
        sync_call(plan_, build_.times.devices(), build_.platform, build_.network, stage, slice);
    const Bytes gradient = build_.load(stage).gradient / static_cast<double>(degrees_.tensor);
    const CollectiveResult done =
        emit_gradient_sync(build_.job, plan_, call, gradient, groups_[stage.value], complete_, build_.graph);
    for (std::size_t member = 0; member < call.ranks.size(); ++member)
      build_.last[call.ranks[member].value] = done[member];
  }

  void add_weight_update(RankId rank) {
    Tasklet update = build_.local(TaskletKind::weight_update, rank);
    const std::size_t shares = degrees_.tensor * (plan_.sharding() > 0 ? degrees_.data : 1);
    update.flops = build_.load(degrees_.stage(rank)).weight_update / static_cast<double>(shares);
    build_.times.set_times(update);
    const TaskletId id = build_.graph.add(update);
    build_.graph.order(build_.last[rank.value], id);
    build_.last[rank.value] = {id};
  }

  // Every replica has updated its share of the weights, and all need all of them.
  void gather_updated_parameters() {
    for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage)
      for (std::size_t slice = 0; slice < degrees_.tensor; ++slice) {
        CollectiveCall call =
            sync_call(plan_, build_.times.devices(), build_.platform, build_.network, Stage(stage), slice);
        for (std::size_t member = 0; member < call.ranks.size(); ++member)
          call.ready[member] = build_.last[call.ranks[member].value];
        const Bytes parameters = build_.load(Stage(stage)).gradient / static_cast<double>(degrees_.tensor);
        const CollectiveResult done = emit_parameter_gather(call, parameters, build_.graph);
        for (std::size_t member = 0; member < call.ranks.size(); ++member) {
          const RankId rank = call.ranks[member];
          const TaskletId complete = build_.graph.add(build_.local(TaskletKind::reduction, rank));
          build_.graph.order(done[member], complete);
          build_.last[rank.value] = {complete};
        }
      }
  }

  PipelineBuild build_;
  const Plan& plan_;
  const Degrees& degrees_;
  Direction completing_;                          // after which step gradients are complete
  std::vector<std::vector<StagePart>> chunks_;    // of each stage
  std::vector<std::vector<SyncGroup>> groups_;    // of each stage
  std::vector<std::vector<PipelineStep>> steps_;  // of each stage
  CompleteGradients complete_;
  std::optional<ShardedSteps> sharded_;  // from ZeRO stage 2 on
};

}  // namespace

TaskletGraph pipeline_tasklets(const Job& job, const Plan& plan, const PlatformView& platform,
                               const NetworkModel& network) {
  return PipelineWorkload(job, plan, platform, network).build();
}

}  // namespace longhaul
