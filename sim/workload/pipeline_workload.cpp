#include "sim/workload/pipeline_workload.hpp"

#include <optional>
#include <utility>

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
        layout_(build_.layout()),
        completing_(completing_direction(build_.schedule)),
        sync_(sync_teams(job, plan, layout_)),
        complete_(layout_.ranks()) {
    const StagePlans plans(plan, layout_);
    for (std::size_t cell = 0; cell < layout_.cells(); ++cell) {
      const Plan& seen = plans.of_cell(cell);
      if (plan.pipelines.empty() && layout_.replica_of_cell(cell).value > 0) {
        chunks_.push_back(chunks_[cell - plan.degrees.pipeline]);
        continue;
      }
      chunks_.push_back(parts_of_stage(job, seen, layout_.stage_of_cell(cell)));
    }
  }

  TaskletGraph build() {
    make_room();
    if (plan_.phase_barrier) add_barrier();
    if (plan_.sharding() >= 2) sharded_.emplace(build_);
    for (std::size_t pass = 0; pass < plan_.passes; ++pass) add_pass(pass);
    for (std::size_t rank = 0; rank < complete_.size(); ++rank) complete_[rank].push_back(build_.last[rank]);
    if (plan_.degrees.copies() > 1) add_gradient_sync();
    for (std::size_t rank = 0; rank < complete_.size(); ++rank) add_weight_update(RankId(rank));
    if (plan_.sharding() == 1 || plan_.sharding() == 2) gather_updated_parameters();
    if (plan_.phase_barrier) add_barrier();
    return build_.graph.build();
  }

 private:
  // For each rank's steps in all passes, and nearly as many messages.
  void make_room() {
    const std::size_t directions = build_.schedule.splits_backward ? 3 : 2;
    std::size_t steps = 0;
    for (std::size_t replica = 0; replica < plan_.degrees.data; ++replica) {
      const PipelinePlan pipeline = plan_.pipeline(Replica(replica));
      steps += plan_.passes * directions * pipeline.micro_batches * plan_.virtual_stages * pipeline.ranks() *
               plan_.degrees.context;
    }
    build_.graph.reserve(2 * steps, plan_.synchronous_transfers ? 5 * steps : 3 * steps);
  }

  void add_barrier() {
    const std::vector<TaskletId> departures = emit_barrier(build_.times.devices(), build_.last, build_.graph);
    for (std::size_t rank = 0; rank < departures.size(); ++rank) build_.last[rank] = {departures[rank]};
  }

  void add_pass(std::size_t pass) {
    PassSteps steps(build_, pass);
    const bool completes = pass + 1 == plan_.passes;
    if (plan_.phase_barrier) {
      add_steps(steps, completes, 0, 0.5);
      add_barrier();
      add_steps(steps, completes, 0.5, 1);
    } else {
      add_steps(steps, completes, 0, 1);
    }
    emit_activation_messages(build_, steps);
  }

  // The computations of all ranks from one share of their schedules to another, each stage's in a row; replicas that share
  // experts go step by step together, and with sharded gradients all do.
  void add_steps(PassSteps& pass, bool completes, double from, double to) {
    for (std::size_t replica = 0; replica < plan_.degrees.data; replica += plan_.expert) {
      const PipelineShape shape = shape_of(plan_, Replica(replica));
      for (std::size_t stage = 0; stage < shape.stages; ++stage) {
        const std::vector<PipelineStep> steps = build_.schedule.steps(Stage(stage), shape);
        const auto all = static_cast<double>(steps.size());
        for (auto i = static_cast<std::size_t>(from * all); i < static_cast<std::size_t>(to * all); ++i) {
          if (sharded_)
            sharded_->add(pass, steps[i]);
          else
            add_step(pass, completes && steps[i].micro_batch + 1 == shape.micro_batches, Replica(replica),
                     Stage(stage), steps[i]);
        }
      }
      if (sharded_) return;
    }
  }

  void add_step(PassSteps& pass, bool last, Replica first, Stage stage, const PipelineStep& step) {
    const std::size_t cell = layout_.cell(first, stage);
    if (last && step.direction == completing_ && sync_.groups[cell].size() > 1)
      add_in_groups(pass, first, stage, step);
    else
      add_part(pass, first, stage, step, whole(chunks_[cell][step.chunk], step));
  }

  void add_part(PassSteps& pass, Replica first, Stage stage, const PipelineStep& step, const StepPart& part) {
    for (std::size_t i = 0; i < plan_.expert; ++i) pass.add(Replica(first.value + i), stage, step, part);
    if (plan_.expert > 1) pass.add_expert_exchange(first, stage, step.direction, part.layers);
  }

  static StepPart whole(const StagePart& chunk, const PipelineStep& step) {
    return {share_of(chunk, step.direction), chunk.layers, true, true};
  }

  // The computation that completes the gradients of a chunk, sync group by sync group. The end of the last group is known
  // when the pass is complete.
  void add_in_groups(PassSteps& pass, Replica first, Stage stage, const PipelineStep& step) {
    const std::vector<SyncGroup>& groups = sync_.groups[layout_.cell(first, stage)];
    bool begins = true;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].chunk != step.chunk) continue;
      const bool last_of_all = i + 1 == groups.size();
      const bool last = last_of_all || groups[i + 1].chunk != step.chunk;
      add_part(pass, first, stage, step, {share_of(groups[i], step.direction), groups[i].layers, begins, last});
      begins = false;
      if (last_of_all) continue;
      const std::size_t ranks = layout_.ranks_of_stage(first, stage);
      for (std::size_t rank = 0; rank < ranks * plan_.expert; ++rank) {
        const RankId done = layout_.rank(Replica(first.value + rank / ranks), stage, rank % ranks);
        complete_[done.value].push_back(build_.last[done.value]);
      }
    }
  }

  CollectiveCall call_of_team(std::size_t team) const {
    return sync_call(plan_, sync_.teams[team].ranks, team, build_.times.devices(), build_.platform, build_.network);
  }

  void add_gradient_sync() {
    if (sharded_) {
      for (std::size_t rank = 0; rank < layout_.ranks(); ++rank) {
        const std::vector<TaskletId>& scattered = sharded_->scattered()[rank];
        build_.last[rank].insert(build_.last[rank].end(), scattered.begin(), scattered.end());
      }
      return;
    }
    std::vector<std::vector<TaskletId>> synchronised(layout_.ranks());
    for (std::size_t team = 0; team < sync_.teams.size(); ++team) {
      const CollectiveCall call = call_of_team(team);
      const CollectiveResult done =
          emit_gradient_sync(build_.job, plan_, call, sync_.teams[team], ring_places(plan_, team, call.ranks.size()),
                             complete_, build_.graph);
      for (std::size_t member = 0; member < call.ranks.size(); ++member) {
        std::vector<TaskletId>& all = synchronised[call.ranks[member].value];
        all.insert(all.end(), done[member].begin(), done[member].end());
      }
    }
    build_.last = std::move(synchronised);
  }

  void add_weight_update(RankId rank) {
    Tasklet update = build_.local(TaskletKind::weight_update, rank);
    const Replica replica = layout_.replica(rank);
    const bool even_shards = plan_.sharding() > 0 && plan_.shards.empty();
    const std::size_t shares =
        layout_.slices(replica, layout_.stage(rank)) * (even_shards ? plan_.degrees.copies() : 1);
    const StageLoad& load = build_.times.load(rank);
    double share = plan_.sharding() > 0 && !even_shards ? plan_.shard_of(replica) : 1;
    if (plan_.sharding() == 0) share *= plan_.held_share(load.parameters, load.expert_parameters);
    update.flops = load.weight_update / static_cast<double>(shares) * share;
    build_.times.set_times(update);
    const TaskletId id = build_.graph.add(update);
    build_.graph.order(build_.last[rank.value], id);
    build_.last[rank.value] = {id};
  }

  // Every replica has updated its share of the weights, and all need all of them.
  void gather_updated_parameters() {
    std::vector<std::vector<TaskletId>> gathered(layout_.ranks());
    for (std::size_t team = 0; team < sync_.teams.size(); ++team) {
      CollectiveCall call = call_of_team(team);
      for (std::size_t member = 0; member < call.ranks.size(); ++member)
        call.ready[member] = build_.last[call.ranks[member].value];
      const CollectiveResult done = emit_parameter_gather(call, sync_.teams[team].gradient, build_.graph);
      for (std::size_t member = 0; member < call.ranks.size(); ++member) {
        const TaskletId complete = build_.graph.add(build_.local(TaskletKind::reduction, call.ranks[member]));
        build_.graph.order(done[member], complete);
        gathered[call.ranks[member].value].push_back(complete);
      }
    }
    build_.last = std::move(gathered);
  }

  PipelineBuild build_;
  const Plan& plan_;
  const RankLayout& layout_;
  Direction completing_;                        // after which step gradients are complete
  std::vector<std::vector<StagePart>> chunks_;  // of each stage of each replica
  SyncTeams sync_;
  CompleteGradients complete_;
  std::optional<ShardedSteps> sharded_;  // from ZeRO stage 2 on
};

}  // namespace

TaskletGraph pipeline_tasklets(const Job& job, const Plan& plan, const PlatformView& platform,
                               const NetworkModel& network) {
  return PipelineWorkload(job, plan, platform, network).build();
}

}  // namespace longhaul
