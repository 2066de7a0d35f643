#include "sim/workload/collective.hpp"
#include "sim/workload/context_exchange.hpp"
#include "sim/workload/pipeline_build.hpp"
#include "sim/workload/tensor_sum.hpp"

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

// Complete but for its bytes and messages.
CollectiveCall call_of(const PipelineBuild& build, TaskletKind kind, const std::vector<RankId>& ranks) {
  CollectiveCall call;
  call.kind = kind;
  call.chunk = build.network.chunk;
  for (const RankId rank : ranks) {
    call.ranks.push_back(rank);
    call.devices.push_back(build.times.device(rank));
    call.ready.push_back(build.last[rank.value]);
  }
  return call;
}

}  // namespace

PassSteps::PassSteps(PipelineBuild& build, std::size_t pass)
    : build_(build), pass_(pass), latest_(build.layout().ranks(), nullptr) {
  for (std::size_t replica = 0; replica < build.plan.degrees.data; ++replica)
    micro_batches_.push_back(build.plan.pipeline(Replica(replica)).micro_batches);
  std::size_t all = 0;
  for (std::size_t rank = 0; rank < latest_.size(); ++rank) {
    first_work_.push_back(all);
    all += micro_batches(RankId(rank)) * build.plan.virtual_stages;
  }
  works(Direction::forward).resize(all);
  works(Direction::backward).resize(all);
  if (build.schedule.splits_backward) works(Direction::weight_gradient).resize(all);
}

const Work& PassSteps::work(RankId rank, Direction direction, std::size_t micro_batch, std::size_t chunk) const {
  return works_[static_cast<std::size_t>(direction)][index(rank, micro_batch, chunk)];
}

void PassSteps::add(Replica replica, Stage stage, const PipelineStep& step, const StepPart& part) {
  const std::size_t members = build_.layout().ranks_of_stage(replica, stage);
  ranks_.clear();
  for (std::size_t member = 0; member < members; ++member) {
    const RankId rank = build_.layout().rank(replica, stage, member);
    const TaskletId id = build_.graph.add(computation(rank, step, part));
    build_.graph.order(build_.last[rank.value], id);
    Work& work = works(step.direction)[index(rank, step.micro_batch, step.chunk)];
    work.output = id;
    if (part.first) begin_work(work, id, latest_[rank.value]);
    build_.last[rank.value].assign(1, id);
    ranks_.push_back(rank);
  }
  const std::size_t slices = build_.layout().slices(replica, stage);
  if (slices > 1)
    for (std::size_t first = 0; first < members; first += slices)
      add_tensor_sum(first, slices, step.direction, part.layers);
  if (members > slices)
    for (std::size_t slice = 0; slice < slices; ++slice)
      add_context_exchange(slice, slices, step.direction, part.layers);
}

Tasklet PassSteps::computation(RankId rank, const PipelineStep& step, const StepPart& part) const {
  Tasklet task = build_.local(kind_of(step.direction), rank);
  task.micro_batch = micro_batch(rank, step.micro_batch);
  task.chunk = static_cast<std::uint32_t>(step.chunk);
  task.share = part.share;
  task.completes = part.last;
  task.bytes = part.beside;
  const RankLayout& layout = build_.layout();
  task.flops = flops_of(build_.times.load(rank), step.direction, build_.schedule.splits_backward) /
               static_cast<double>(layout.ranks_of_stage(layout.replica(rank), layout.stage(rank))) * part.share;
  if (build_.times.measured_sum(rank))
    task.sums = static_cast<std::uint32_t>(tensor_sums(build_.job, part.layers, step.direction));
  build_.times.set_times(task);
  return task;
}

// The all-reduces of a stage's layers among the slices of a part, as one exchange of all their bytes that pays the latency of
// each.
void PassSteps::add_tensor_sum(std::size_t first, std::size_t slices, Direction direction, std::size_t layers) {
  const std::size_t sums = tensor_sums(build_.job, layers, direction);
  if (sums == 0 || build_.times.measured_sum(ranks_[first])) return;
  const auto begin = ranks_.begin() + static_cast<std::ptrdiff_t>(first);
  CollectiveCall call =
      call_of(build_, TaskletKind::tensor_transfer, {begin, begin + static_cast<std::ptrdiff_t>(slices)});
  call.messages = static_cast<std::uint32_t>(sums);
  call.bytes = build_.times.load(ranks_[first]).activation / static_cast<double>(build_.layout().parts()) *
               static_cast<double>(sums);
  exchange("ring_all_reduce", call);
}

// What the parts of a slice gather and scatter for a stage's layers, each as one exchange of all their bytes.
void PassSteps::add_context_exchange(std::size_t slice, std::size_t slices, Direction direction, std::size_t layers) {
  std::vector<RankId> ranks;
  for (std::size_t member = slice; member < ranks_.size(); member += slices) ranks.push_back(ranks_[member]);
  const auto run = [&](const char* collective, std::size_t count) {
    if (count == 0) return;
    CollectiveCall call = call_of(build_, TaskletKind::context_transfer, ranks);
    call.messages = static_cast<std::uint32_t>(count);
    call.bytes = key_value_bytes(build_.job, build_.plan) * static_cast<double>(count);
    exchange(collective, call);
  };
  run("all_gather", key_value_gathers(build_.job, layers, direction));
  run("reduce_scatter", direction == Direction::backward ? layers : 0);
}

// Tokens are sent to their experts and back: two all-to-alls per layer forward, two backward, and two more where backward runs the
// whole forward again (GShard, arXiv 2006.16668 section 3.2). Every token goes to experts_per_token experts, taken to be spread
// evenly; each rank of a stage sends its share. As one exchange of all their bytes that pays the latency of each.
void PassSteps::add_expert_exchange(Replica first, Stage stage, Direction direction, std::size_t layers) {
  if (direction == Direction::weight_gradient) return;
  const bool repeats = direction == Direction::backward && build_.job.recompute == Recompute::full;
  const std::size_t exchanges = layers * (repeats ? 4 : 2);
  const std::size_t members = build_.layout().ranks_of_stage(first, stage);
  for (std::size_t member = 0; member < members; ++member) {
    std::vector<RankId> ranks;
    for (std::size_t i = 0; i < build_.plan.expert; ++i)
      ranks.push_back(build_.layout().rank(Replica(first.value + i), stage, member));
    CollectiveCall call = call_of(build_, TaskletKind::expert_transfer, ranks);
    call.messages = static_cast<std::uint32_t>(exchanges);
    call.bytes = build_.times.load(ranks.front()).activation / static_cast<double>(members) *
                 static_cast<double>(exchanges * static_cast<std::size_t>(build_.job.model.experts_per_token));
    exchange("all_to_all", call);
  }
}

// What the ranks compute next waits for the collective, and so does what they send on.
void PassSteps::exchange(const char* collective, const CollectiveCall& call) {
  const CollectiveResult done = find_collective(collective)->emit(call, build_.graph);
  for (std::size_t member = 0; member < call.ranks.size(); ++member) {
    const RankId rank = call.ranks[member];
    const TaskletId complete = build_.graph.add(build_.local(TaskletKind::reduction, rank));
    build_.graph.order(done[member], complete);
    latest_[rank.value]->output = complete;
    build_.last[rank.value] = {complete};
  }
}

}  // namespace longhaul
