#include "sim/workload/pipeline_workload.hpp"

#include "sim/base/error.hpp"
#include "sim/workload/barrier.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/schedule.hpp"

namespace longhaul {
namespace {

class PipelineWorkload {
 public:
  PipelineWorkload(const Job& job, const Plan& plan, const PlatformView& platform, const NetworkModel& network)
      : job_(job),
        plan_(plan),
        platform_(platform),
        network_(network),
        schedule_(find_pipeline_schedule(plan.schedule)),
        loads_(stage_loads(job, plan.layers_per_stage)),
        devices_(plan.device_of_rank()),
        last_(plan.degrees.ranks()) {
    require(schedule_ != nullptr, "the plan names no pipeline schedule");
  }

  TaskletGraph build() {
    if (plan_.phase_barrier) add_barrier();
    for (std::size_t pass = 0; pass < plan_.passes; ++pass) add_pass(pass);
    for (std::size_t stage = 0; stage < plan_.degrees.pipeline; ++stage) add_gradient_sync(Stage(stage));
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
    const std::size_t ranks = last_.size();
    forward_.assign(ranks, std::vector<TaskletId>(plan_.micro_batches));
    backward_ = forward_;
    std::vector<std::vector<PipelineStep>> steps;
    for (std::size_t stage = 0; stage < plan_.degrees.pipeline; ++stage)
      steps.push_back(schedule_->steps(Stage(stage), plan_.degrees.pipeline, plan_.micro_batches));

    if (plan_.phase_barrier) {
      add_steps(pass, steps, 0, plan_.micro_batches);
      add_barrier();
      add_steps(pass, steps, plan_.micro_batches, 2 * plan_.micro_batches);
    } else {
      add_steps(pass, steps, 0, 2 * plan_.micro_batches);
    }
    for (std::size_t replica = 0; replica < plan_.degrees.data; ++replica)
      for (std::size_t stage = 0; stage + 1 < plan_.degrees.pipeline; ++stage)
        add_hop(pass, plan_.degrees.rank(Replica(replica), Stage(stage)),
                plan_.degrees.rank(Replica(replica), Stage(stage + 1)));
  }

  // The computations of all ranks from one position of their schedules to another, each rank's in a row.
  void add_steps(std::size_t pass, const std::vector<std::vector<PipelineStep>>& steps, std::size_t from,
                 std::size_t to) {
    for (std::size_t number = 0; number < last_.size(); ++number) {
      const RankId rank(number);
      const std::vector<PipelineStep>& mine = steps[plan_.degrees.stage(rank).value];
      for (std::size_t step = from; step < to; ++step) add_computation(pass, rank, mine[step]);
    }
  }

  void add_computation(std::size_t pass, RankId rank, const PipelineStep& step) {
    const bool is_forward = step.direction == Direction::forward;
    const Stage stage = plan_.degrees.stage(rank);
    const StageLoad& load = loads_[stage.value];
    Tasklet task = computation(is_forward ? TaskletKind::forward : TaskletKind::backward, rank);
    task.micro_batch = micro_batch(pass, step.micro_batch);
    task.flops = is_forward ? load.forward : load.backward;
    task.compute = time_of(task, is_forward ? job_.compute.forward : job_.compute.backward);
    if (is_forward && stage.value + 1 < plan_.degrees.pipeline)
      task.handling = handling(rank, RankId(rank.value + 1));
    if (!is_forward && stage.value > 0) task.handling = handling(rank, RankId(rank.value - 1));
    const TaskletId id = graph_.add(task);
    graph_.order(last_[rank.value], id);
    last_[rank.value] = {id};
    (is_forward ? forward_ : backward_)[rank.value][step.micro_batch] = id;
  }

  // Activations from a rank to the one that runs the next stage, and their gradients back.
  void add_hop(std::size_t pass, RankId upstream, RankId downstream) {
    const Bytes bytes = loads_[plan_.degrees.stage(upstream).value].activation;
    for (std::size_t i = 0; i < plan_.micro_batches; ++i) {
      const MicroBatch micro = micro_batch(pass, i);
      add_activation_transfer(forward_[upstream.value][i], forward_[downstream.value][i], micro, bytes);
      add_activation_transfer(backward_[downstream.value][i], backward_[upstream.value][i], micro, bytes);
    }
  }

  void add_activation_transfer(TaskletId producer, TaskletId consumer, MicroBatch micro, Bytes bytes) {
    Tasklet transfer = computation(TaskletKind::activation_transfer, graph_.tasklet(producer).rank);
    transfer.target = graph_.tasklet(consumer).device;
    transfer.micro_batch = micro;
    transfer.bytes = bytes;
    const TaskletId id = graph_.add(transfer);
    graph_.order(producer, id);
    graph_.order(id, consumer);
  }

  void add_gradient_sync(Stage stage) {
    if (plan_.degrees.data == 1) return;
    const Collective* collective = find_collective(plan_.gradient_sync);
    require(collective != nullptr, "the plan names no collective");
    CollectiveCall call;
    call.bytes = loads_[stage.value].gradient;
    call.chunk = network_.chunk;
    for (std::size_t replica = 0; replica < plan_.degrees.data; ++replica) {
      const RankId rank = plan_.degrees.rank(Replica(replica), stage);
      call.ranks.push_back(rank);
      call.devices.push_back(devices_[rank.value]);
      call.ready.push_back(last_[rank.value]);
    }
    const CollectiveResult done = collective->emit(call, graph_);
    for (std::size_t member = 0; member < call.ranks.size(); ++member) last_[call.ranks[member].value] = done[member];
  }

  void add_weight_update(RankId rank) {
    Tasklet update = computation(TaskletKind::weight_update, rank);
    update.flops = loads_[plan_.degrees.stage(rank).value].weight_update;
    update.compute = time_of(update, job_.compute.weight_update);
    const TaskletId id = graph_.add(update);
    graph_.order(last_[rank.value], id);
    last_[rank.value] = {id};
  }

  Tasklet computation(TaskletKind kind, RankId rank) const {
    Tasklet task;
    task.kind = kind;
    task.rank = rank;
    task.device = task.target = devices_[rank.value];
    return task;
  }

  MicroBatch micro_batch(std::size_t pass, std::size_t within_pass) const {
    return MicroBatch(pass * plan_.micro_batches + within_pass);
  }

  Seconds time_of(const Tasklet& task, const std::optional<Seconds>& measured) const {
    if (measured) return *measured;
    return task.flops / (platform_.device(task.device).peak * job_.compute.efficiency);
  }

  Seconds handling(RankId sender, RankId receiver) const {
    const bool local = platform_.same_machine(devices_[sender.value], devices_[receiver.value]);
    return local ? Seconds() : network_.message_cost;
  }

  const Job& job_;
  const Plan& plan_;
  const PlatformView& platform_;
  const NetworkModel& network_;
  const PipelineSchedule* schedule_;
  std::vector<StageLoad> loads_;
  std::vector<DeviceId> devices_;                // of each rank
  std::vector<std::vector<TaskletId>> last_;     // per rank, what its next computation waits for
  std::vector<std::vector<TaskletId>> forward_;  // of the current pass, by rank and micro-batch
  std::vector<std::vector<TaskletId>> backward_;
  TaskletGraphBuilder graph_;
};

}  // namespace

TaskletGraph pipeline_tasklets(const Job& job, const Plan& plan, const PlatformView& platform,
                               const NetworkModel& network) {
  return PipelineWorkload(job, plan, platform, network).build();
}

}  // namespace longhaul
