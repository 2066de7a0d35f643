#include "sim/workload/pipeline_workload.hpp"

#include <optional>

#include "sim/base/error.hpp"
#include "sim/workload/barrier.hpp"
#include "sim/workload/gradient_sync.hpp"
#include "sim/workload/rank_times.hpp"
#include "sim/workload/schedule.hpp"
#include "sim/workload/sync_call.hpp"
#include "sim/workload/sync_group.hpp"

namespace longhaul {
namespace {

// One computation of a rank and what goes with it.
struct Work {
  TaskletId computation;  // the first of them where it is split
  TaskletId output;  // when this is finished the result may be sent on: the computation, or its tensor-parallel sum
  std::optional<TaskletId> previous;  // what the rank computed before it in this pass
  std::optional<TaskletId> next;      // what the rank computes after it in this pass
};

// A piece of a computation: all of it, or the layers of one sync group.
struct Part {
  double share = 1;
  std::size_t layers = 0;
  bool first = true;
  bool last = true;
};

class PipelineWorkload {
 public:
  PipelineWorkload(const Job& job, const Plan& plan, const PlatformView& platform, const NetworkModel& network)
      : job_(job),
        plan_(plan),
        degrees_(plan.degrees),
        platform_(platform),
        network_(network),
        schedule_(find_pipeline_schedule(plan.schedule)),
        times_(job, plan, platform, network),
        loads_(times_.loads()),
        devices_(times_.devices()),
        last_(plan.degrees.ranks()),
        complete_(plan.degrees.ranks()) {
    require(schedule_ != nullptr, "the plan names no pipeline schedule");
    for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage)
      groups_.push_back(sync_groups_of(job, plan, Stage(stage)));
  }

  TaskletGraph build() {
    const std::size_t steps =
        plan_.passes * plan_.micro_batches * 2 * degrees_.ranks();  // and nearly as many messages
    graph_.reserve(2 * steps, plan_.synchronous_transfers ? 5 * steps : 3 * steps);
    if (plan_.phase_barrier) add_barrier();
    for (std::size_t pass = 0; pass < plan_.passes; ++pass) add_pass(pass);
    for (std::size_t rank = 0; rank < last_.size(); ++rank) complete_[rank].push_back(last_[rank]);
    for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage)
      for (std::size_t slice = 0; slice < degrees_.tensor; ++slice) add_gradient_sync(Stage(stage), slice);
    for (std::size_t rank = 0; rank < last_.size(); ++rank) add_weight_update(RankId(rank));
    if (plan_.phase_barrier) add_barrier();
    return graph_.build();
  }

 private:
  using Direction = PipelineStep::Direction;

  void add_barrier() {
    const std::vector<TaskletId> departures = emit_barrier(devices_, last_, graph_);
    for (std::size_t rank = 0; rank < last_.size(); ++rank) last_[rank] = {departures[rank]};
  }

  void add_pass(std::size_t pass) {
    pass_ = pass;
    forward_.assign(last_.size(), std::vector<Work>(plan_.micro_batches));
    backward_ = forward_;
    latest_.assign(last_.size(), nullptr);
    std::vector<std::vector<PipelineStep>> steps;
    for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage)
      steps.push_back(schedule_->steps(Stage(stage), degrees_.pipeline, plan_.micro_batches));

    if (plan_.phase_barrier) {
      add_steps(steps, 0, plan_.micro_batches);
      add_barrier();
      add_steps(steps, plan_.micro_batches, 2 * plan_.micro_batches);
    } else {
      add_steps(steps, 0, 2 * plan_.micro_batches);
    }
    for (std::size_t replica = 0; replica < degrees_.data; ++replica)
      for (std::size_t stage = 0; stage + 1 < degrees_.pipeline; ++stage)
        for (std::size_t slice = 0; slice < degrees_.tensor; ++slice)
          add_hop(degrees_.rank(Replica(replica), Stage(stage), slice),
                  degrees_.rank(Replica(replica), Stage(stage + 1), slice));
  }

  // The computations of all ranks from one position of their schedules to another, each stage's in a row.
  void add_steps(const std::vector<std::vector<PipelineStep>>& steps, std::size_t from, std::size_t to) {
    for (std::size_t replica = 0; replica < degrees_.data; ++replica)
      for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage)
        for (std::size_t step = from; step < to; ++step)
          if (pass_ + 1 == plan_.passes && step + 1 == steps[stage].size())
            add_last_backward(Replica(replica), Stage(stage), steps[stage][step]);
          else
            add_computation(Replica(replica), Stage(stage), steps[stage][step], whole(Stage(stage)));
  }

  Part whole(Stage stage) const { return {1, plan_.layers_per_stage[stage.value], true, true}; }

  // The computation that completes the gradients, sync group by sync group.
  void add_last_backward(Replica replica, Stage stage, const PipelineStep& step) {
    const std::vector<SyncGroup>& groups = groups_[stage.value];
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bool last = i + 1 == groups.size();
      add_computation(replica, stage, step, {groups[i].backward_share, groups[i].layers, i == 0, last});
      if (last) continue;
      for (std::size_t slice = 0; slice < degrees_.tensor; ++slice) {
        const RankId rank = degrees_.rank(replica, stage, slice);
        complete_[rank.value].push_back(last_[rank.value]);
      }
    }
  }

  // One step of a stage: on every slice, then the sum of the slices' results.
  void add_computation(Replica replica, Stage stage, const PipelineStep& step, const Part& part) {
    ranks_.clear();
    for (std::size_t slice = 0; slice < degrees_.tensor; ++slice) {
      const RankId rank = degrees_.rank(replica, stage, slice);
      const TaskletId id = graph_.add(computation(rank, stage, step, part));
      graph_.order(last_[rank.value], id);
      Work& work = (step.direction == Direction::forward ? forward_ : backward_)[rank.value][step.micro_batch];
      work.output = id;
      if (part.first) begin_work(work, id, latest_[rank.value]);
      last_[rank.value].assign(1, id);
      ranks_.push_back(rank);
    }
    if (degrees_.tensor > 1) add_tensor_sum(stage, ranks_, step.direction, part.layers);
  }

  static void begin_work(Work& work, TaskletId id, Work*& latest) {
    work.computation = id;
    if (latest != nullptr) {
      work.previous = latest->output;
      latest->next = id;
    }
    latest = &work;
  }

  Tasklet computation(RankId rank, Stage stage, const PipelineStep& step, const Part& part) const {
    const bool is_forward = step.direction == Direction::forward;
    const StageLoad& load = loads_[stage.value];
    Tasklet task = local(is_forward ? TaskletKind::forward : TaskletKind::backward, rank);
    task.micro_batch = micro_batch(step.micro_batch);
    task.share = part.share;
    task.completes = part.last;
    task.flops = (is_forward ? load.forward : load.backward) / static_cast<double>(degrees_.tensor) * part.share;
    times_.set_times(task);
    return task;
  }

  // The all-reduces of a stage's layers, as one exchange of all their bytes that pays the latency of each: two per
  // layer forward, two backward, and two more where backward recomputes the forward (arXiv 1909.08053 section 3).
  void add_tensor_sum(Stage stage, const std::vector<RankId>& ranks, Direction direction, std::size_t layers) {
    const bool recomputes = direction == Direction::backward && job_.recompute == Recompute::full;
    const std::size_t sums = layers * (recomputes ? 4 : 2);
    CollectiveCall call;
    call.kind = TaskletKind::tensor_transfer;
    call.messages = static_cast<std::uint32_t>(sums);
    call.bytes = loads_[stage.value].activation * static_cast<double>(sums);
    call.chunk = network_.chunk;
    for (const RankId rank : ranks) {
      call.ranks.push_back(rank);
      call.devices.push_back(devices_[rank.value]);
      call.ready.push_back(last_[rank.value]);
    }
    const CollectiveResult done = find_collective("ring_all_reduce")->emit(call, graph_);
    for (std::size_t slice = 0; slice < ranks.size(); ++slice) {
      const TaskletId summed = graph_.add(local(TaskletKind::reduction, ranks[slice]));
      graph_.order(done[slice], summed);
      latest_[ranks[slice].value]->output = summed;
      last_[ranks[slice].value] = {summed};
    }
  }

  // Activations from a rank to the one that runs the next stage, and their gradients back. Each slice sends its
  // share.
  void add_hop(RankId upstream, RankId downstream) {
    const Bytes bytes = compressed_bytes(plan_.activation_compression, activation_share(), job_.value_bytes());
    for (std::size_t i = 0; i < plan_.micro_batches; ++i) {
      add_activation_transfer(forward_[upstream.value][i], forward_[downstream.value][i], micro_batch(i), bytes);
      add_activation_transfer(backward_[downstream.value][i], backward_[upstream.value][i], micro_batch(i), bytes);
    }
  }

  void add_activation_transfer(const Work& producer, const Work& consumer, MicroBatch micro, Bytes bytes) {
    const RankId sender = graph_.tasklet(producer.computation).rank;
    Tasklet transfer = local(TaskletKind::activation_transfer, sender);
    transfer.target = graph_.tasklet(consumer.computation).device;
    transfer.micro_batch = micro;
    transfer.bytes = bytes;
    const TaskletId id = graph_.add(transfer);
    graph_.order(producer.output, id);
    graph_.order(id, consumer.computation);
    if (!plan_.synchronous_transfers) return;
    if (consumer.previous) graph_.order(*consumer.previous, id);
    if (producer.next) {
      graph_.order(id, *producer.next);
    } else {
      last_[sender.value].push_back(id);
    }
  }

  void add_gradient_sync(Stage stage, std::size_t slice) {
    if (degrees_.data == 1) return;
    const CollectiveCall call = sync_call(plan_, devices_, platform_, network_, stage, slice);
    const Bytes gradient = loads_[stage.value].gradient / static_cast<double>(degrees_.tensor);
    const CollectiveResult done =
        emit_gradient_sync(job_, plan_, call, gradient, groups_[stage.value], complete_, graph_);
    for (std::size_t member = 0; member < call.ranks.size(); ++member) last_[call.ranks[member].value] = done[member];
  }

  void add_weight_update(RankId rank) {
    const StageLoad& load = loads_[degrees_.stage(rank).value];
    Tasklet update = local(TaskletKind::weight_update, rank);
    update.flops = load.weight_update / static_cast<double>(degrees_.tensor);
    times_.set_times(update);
    const TaskletId id = graph_.add(update);
    graph_.order(last_[rank.value], id);
    last_[rank.value] = {id};
  }

  // A tasklet that stays on its rank's device.
  Tasklet local(TaskletKind kind, RankId rank) const {
    Tasklet task;
    task.kind = kind;
    task.rank = rank;
    task.device = task.target = devices_[rank.value];
    return task;
  }

  MicroBatch micro_batch(std::size_t within_pass) const {
    return MicroBatch(pass_ * plan_.micro_batches + within_pass);
  }

  Bytes activation_share() const { return loads_.front().activation / static_cast<double>(degrees_.tensor); }

  const Job& job_;
  const Plan& plan_;
  const Degrees& degrees_;
  const PlatformView& platform_;
  const NetworkModel& network_;
  const PipelineSchedule* schedule_;
  RankTimes times_;
  const std::vector<StageLoad>& loads_;
  const std::vector<DeviceId>& devices_;        // of each rank
  std::vector<std::vector<SyncGroup>> groups_;  // of each stage
  std::vector<std::vector<TaskletId>> last_;    // per rank, what its next computation waits for
  CompleteGradients complete_;
  std::vector<RankId> ranks_;  // of the step that is added
  std::size_t pass_ = 0;
  std::vector<std::vector<Work>> forward_;  // of the current pass, by rank and micro-batch
  std::vector<std::vector<Work>> backward_;
  std::vector<Work*> latest_;  // per rank, its last computation in the current pass
  TaskletGraphBuilder graph_;
};

}  // namespace

TaskletGraph pipeline_tasklets(const Job& job, const Plan& plan, const PlatformView& platform,
                               const NetworkModel& network) {
  return PipelineWorkload(job, plan, platform, network).build();
}

}  // namespace longhaul
