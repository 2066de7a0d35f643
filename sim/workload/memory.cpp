#include "sim/workload/memory.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/workload/schedule.hpp"

namespace longhaul {
namespace {

constexpr double fragmentation_share = 0.05;
constexpr double mask_bytes = 1;  // of dropout, per value

std::size_t most_in_flight(const std::vector<PipelineStep>& steps) {
  std::size_t now = 0;
  std::size_t most = 0;
  for (const PipelineStep& step : steps) {
    if (step.direction == PipelineStep::Direction::backward) {
      --now;
    } else {
      most = std::max(most, ++now);
    }
  }
  return most;
}

// s b h, the values of one activation tensor.
double width_of(const Job& job, const Plan& plan) {
  return static_cast<double>(job.model.sequence * job.model.hidden) * static_cast<double>(plan.micro_batch_size);
}

// All that the backward of one layer needs. Per slice: the inputs of both norms, of attention and of the feed-forward part,
// and two dropout masks; split among slices: queries, keys, values, the projection's input, two (gated: four) tensors of
// feed-forward width, and of each attention score two values and a mask, and another value after dropout.
Bytes layer_activations(const Job& job, const Plan& plan) {
  const Model& model = job.model;
  const auto heads = static_cast<double>(model.heads);
  const double key_value_share = static_cast<double>(model.key_value_heads) / heads;
  const double inner = static_cast<double>(model.feed_forward) / static_cast<double>(model.hidden);
  const double value = job.value_bytes();
  const double whole = 4 * value + 2 * mask_bytes;
  const double split = value * (2 + 2 * key_value_share + (model.gated ? 4 : 2) * inner);
  const double scores =
      heads * static_cast<double>(model.sequence) / static_cast<double>(model.hidden) * (2 * value + mask_bytes);
  return Bytes(width_of(job, plan) * (whole + (split + scores) / static_cast<double>(plan.degrees.tensor)));
}

StageMemory memory_of(const Job& job, const Plan& plan, const StageLoad& load, std::size_t stage,
                      const PipelineSchedule& schedule) {
  const std::size_t stages = plan.degrees.pipeline;
  const auto slices = static_cast<double>(plan.degrees.tensor);
  const auto layers = static_cast<double>(plan.layers_per_stage[stage]);
  const double parameters = load.parameters / slices;
  StageMemory memory;
  memory.in_flight = most_in_flight(schedule.steps(Stage(stage), stages, plan.micro_batches));
  const auto in_flight = static_cast<double>(memory.in_flight);
  memory.parameters = memory.gradients = Bytes(parameters * job.value_bytes());
  if (!job.optimizer_offload) memory.optimizer = Bytes(parameters * (16 - 2 * job.value_bytes()));
  const Bytes layer = layer_activations(job, plan);
  if (job.recompute == Recompute::full) {
    const Bytes kept(width_of(job, plan) * job.value_bytes() * static_cast<double>(job.kept_per_layer));
    memory.activations = std::min(kept, layer) * layers * in_flight;
    memory.working_set = layer;
  } else {
    memory.activations = layer * layers * in_flight;
  }
  if (schedule.has_phases) {
    if (stage + 1 < stages) memory.messages = load.activation * (2 * in_flight);
  } else {
    const double neighbours = (stage > 0 ? 1 : 0) + (stage + 1 < stages ? 1 : 0);
    memory.messages = load.activation * (4 * neighbours);
  }
  if (stage + 1 == stages && job.model.head == Head::language_model)
    memory.logits = Bytes(4 * static_cast<double>(job.model.sequence) * static_cast<double>(plan.micro_batch_size) *
                          static_cast<double>(job.model.vocabulary) / slices);
  memory.fragmentation = memory.total() * fragmentation_share;
  return memory;
}

}  // namespace

Bytes StageMemory::total() const {
  return parameters + gradients + optimizer + activations + messages + working_set + logits + fragmentation;
}

std::vector<StageMemory> stage_memory(const Job& job, const Plan& plan) {
  const PipelineSchedule* schedule = find_pipeline_schedule(plan.schedule);
  require(schedule != nullptr, "the plan names no pipeline schedule");
  const std::vector<StageLoad> loads = stage_loads(job, plan.layers_per_stage, plan.micro_batch_size);
  std::vector<StageMemory> stages;
  for (std::size_t stage = 0; stage < loads.size(); ++stage)
    stages.push_back(memory_of(job, plan, loads[stage], stage, *schedule));
  return stages;
}

std::vector<StageMemory> stage_memory(const Job& job, const Plan& plan, const PlatformView& platform) {
  std::vector<StageMemory> stages = stage_memory(job, plan);
  for (std::size_t device = 0; device < plan.rank_of_device.size(); ++device) {
    const Bytes memory = platform.device(DeviceId(device)).memory;
    if (memory == Bytes()) continue;
    Bytes& smallest = stages[plan.degrees.stage(plan.rank_of_device[device]).value].device;
    smallest = smallest == Bytes() ? memory : std::min(smallest, memory);
  }
  return stages;
}

std::size_t fullest_stage(const std::vector<StageMemory>& stages) {
  const bool known =
      std::any_of(stages.begin(), stages.end(), [](const StageMemory& stage) { return stage.device > Bytes(); });
  const auto fill = [known](const StageMemory& stage) {
    if (!known) return stage.total().value;
    return stage.device > Bytes() ? stage.total() / stage.device : 0;
  };
  std::size_t fullest = 0;
  for (std::size_t stage = 1; stage < stages.size(); ++stage)
    if (fill(stages[stage]) > fill(stages[fullest])) fullest = stage;
  return fullest;
}

}  // namespace longhaul
