#include "sim/workload/collective.hpp"
#include "sim/workload/pipeline_build.hpp"

namespace longhaul {
namespace {

using Direction = PipelineStep::Direction;

TaskletKind kind_of(Direction direction) {
  if (direction == Direction::forward) return TaskletKind::forward;
  return direction == Direction::backward ? TaskletKind::backward : TaskletKind::weight_gradient;
}

Flops flops_of(const StageLoad& load, Direction direction, bool splits_backward) {
  if (direction == Direction::forward) return load.forward;
  if (direction == Direction::weight_gradient) return load.weight_gradient;
  return splits_backward ? load.backward - load.weight_gradient : load.backward;
}

void begin_work(Work& work, TaskletId id, Work*& latest) {
  work.computation = id;
  if (latest != nullptr) {
    work.previous = latest->output;
    latest->next = id;
  }
  latest = &work;
}

}  // namespace

PassSteps::PassSteps(PipelineBuild& build, std::size_t pass)
    : build_(build), pass_(pass), latest_(build.plan.degrees.ranks(), nullptr) {
  const std::size_t all = build.plan.degrees.ranks() * build.plan.micro_batches * build.plan.virtual_stages;
  works(Direction::forward).resize(all);
  works(Direction::backward).resize(all);
  if (build.schedule.splits_backward) works(Direction::weight_gradient).resize(all);
}

std::size_t PassSteps::index(RankId rank, std::size_t micro_batch, std::size_t chunk) const {
  return (rank.value * build_.plan.virtual_stages + chunk) * build_.plan.micro_batches + micro_batch;
}

const Work& PassSteps::work(RankId rank, Direction direction, std::size_t micro_batch, std::size_t chunk) const {
  return works_[static_cast<std::size_t>(direction)][index(rank, micro_batch, chunk)];
}

MicroBatch PassSteps::micro_batch(std::size_t within_pass) const {
  return MicroBatch(pass_ * build_.plan.micro_batches + within_pass);
}

void PassSteps::add(Replica replica, Stage stage, const PipelineStep& step, const StepPart& part) {
  const Degrees& degrees = build_.plan.degrees;
  ranks_.clear();
  for (std::size_t slice = 0; slice < degrees.tensor; ++slice) {
    const RankId rank = degrees.rank(replica, stage, slice);
    const TaskletId id = build_.graph.add(computation(rank, stage, step, part));
    build_.graph.order(build_.last[rank.value], id);
    Work& work = works(step.direction)[index(rank, step.micro_batch, step.chunk)];
    work.output = id;
    if (part.first) begin_work(work, id, latest_[rank.value]);
    build_.last[rank.value].assign(1, id);
    ranks_.push_back(rank);
  }
  if (degrees.tensor > 1 && step.direction != Direction::weight_gradient)
    add_tensor_sum(stage, step.direction, part.layers);
}

Tasklet PassSteps::computation(RankId rank, Stage stage, const PipelineStep& step, const StepPart& part) const {
  Tasklet task = build_.local(kind_of(step.direction), rank);
  task.micro_batch = micro_batch(step.micro_batch);
  task.chunk = static_cast<std::uint32_t>(step.chunk);
  task.share = part.share;
  task.completes = part.last;
  task.flops = flops_of(build_.load(stage), step.direction, build_.schedule.splits_backward) /
               static_cast<double>(build_.plan.degrees.tensor) * part.share;
  build_.times.set_times(task);
  return task;
}

// The all-reduces of a stage's layers, as one exchange of all their bytes that pays the latency of each: two per
// layer forward, two backward, and two more where backward recomputes the forward (arXiv 1909.08053 section 3).
void PassSteps::add_tensor_sum(Stage stage, Direction direction, std::size_t layers) {
  const bool recomputes = direction == Direction::backward && build_.job.recompute == Recompute::full;
  const std::size_t sums = layers * (recomputes ? 4 : 2);
  CollectiveCall call;
  call.kind = TaskletKind::tensor_transfer;
  call.messages = static_cast<std::uint32_t>(sums);
  call.bytes = build_.load(stage).activation * static_cast<double>(sums);
  call.chunk = build_.network.chunk;
  for (const RankId rank : ranks_) {
    call.ranks.push_back(rank);
    call.devices.push_back(build_.times.device(rank));
    call.ready.push_back(build_.last[rank.value]);
  }
  const CollectiveResult done = find_collective("ring_all_reduce")->emit(call, build_.graph);
  for (std::size_t slice = 0; slice < ranks_.size(); ++slice) {
    const TaskletId summed = build_.graph.add(build_.local(TaskletKind::reduction, ranks_[slice]));
    build_.graph.order(done[slice], summed);
    latest_[ranks_[slice].value]->output = summed;
    build_.last[ranks_[slice].value] = {summed};
  }
}

}  // namespace longhaul
