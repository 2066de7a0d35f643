// What the parts of the training workload's generator share while they build an iteration.
#pragma once

#include <optional>
#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/rank_times.hpp"
#include "sim/workload/schedule.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// Keeps references; the plan names a schedule that there is.
struct PipelineBuild {
  PipelineBuild(const Job& the_job, const Plan& the_plan, const PlatformView& the_platform,
                const NetworkModel& the_network);

  const Job& job;
  const Plan& plan;
  const PlatformView& platform;
  const NetworkModel& network;
  const PipelineSchedule& schedule;
  RankTimes times;
  std::vector<std::vector<TaskletId>> last;  // per rank, what its next computation waits for
  TaskletGraphBuilder graph;

  /// A tasklet that stays on its rank's device.
  Tasklet local(TaskletKind kind, RankId rank) const;
  const RankLayout& layout() const { return times.layout(); }
};

/// A piece of a step: all of it, or the layers of one sync group.
struct StepPart {
  double share = 1;  // of the stage's computation in the step's direction
  std::size_t layers = 0;
  bool first = true;
  bool last = true;
  Bytes beside = Bytes();  // that the rank sends in collectives while it computes
};

/// One computation of a rank and what goes with it.
struct Work {
  TaskletId computation;  // the first of them where it is split
  TaskletId
      output;  // when this is finished the result may be sent on: the computation, or what its stage's ranks exchange after it
  std::optional<TaskletId> previous;  // what the rank computed before it in this pass
  std::optional<TaskletId> next;      // what the rank computes after it in this pass
};

/// The computations of one pass, rank by rank in the order of their schedules.
class PassSteps {
 public:
  PassSteps(PipelineBuild& build, std::size_t pass);
  PassSteps(const PassSteps&) = delete;  // it points into itself
  PassSteps& operator=(const PassSteps&) = delete;

  /// Adds a step of a stage, or a piece of it: on each of its ranks, then the sums of the slices' results and what the parts of
  /// its sequences exchange.
  void add(Replica replica, Stage stage, const PipelineStep& step, const StepPart& part);

  /// After that of all plan.expert replicas from `first` on: their tokens go to the replicas that hold their experts and come
  /// back, for each of so many layers.
  void add_expert_exchange(Replica first, Stage stage, PipelineStep::Direction direction, std::size_t layers);

  const Work& work(RankId rank, PipelineStep::Direction direction, std::size_t micro_batch, std::size_t chunk) const;
  std::size_t micro_batches(RankId rank) const { return micro_batches_[build_.layout().replica(rank).value]; }
  /// Counted through all passes of its replica.
  MicroBatch micro_batch(RankId rank, std::size_t within_pass) const {
    return MicroBatch(pass_ * micro_batches(rank) + within_pass);
  }

 private:
  std::size_t index(RankId rank, std::size_t micro_batch, std::size_t chunk) const {
    return first_work_[rank.value] + chunk * micro_batches(rank) + micro_batch;
  }
  std::vector<Work>& works(PipelineStep::Direction direction) { return works_[static_cast<std::size_t>(direction)]; }
  Tasklet computation(RankId rank, const PipelineStep& step, const StepPart& part) const;
  void add_tensor_sum(std::size_t first, std::size_t slices, PipelineStep::Direction direction, std::size_t layers);
  void add_context_exchange(std::size_t slice, std::size_t slices, PipelineStep::Direction direction,
                            std::size_t layers);
  void exchange(const char* collective, const CollectiveCall& call);

  PipelineBuild& build_;
  std::size_t pass_;
  std::vector<std::size_t> micro_batches_;  // of each replica
  std::vector<std::size_t> first_work_;     // of each rank
  std::vector<Work> works_[3];              // by direction
  std::vector<Work*> latest_;               // per rank, its last computation in this pass
  std::vector<RankId> ranks_;               // of the step that is added
};

/// Adds the messages of a pass whose steps are all there: activations from chunk to chunk, and their gradients back; each
/// rank of a stage sends its share. What a rank does after the pass waits for what plan.synchronous_transfers says.
void emit_activation_messages(PipelineBuild& build, const PassSteps& steps);

}  // namespace longhaul
