#include "sim/workload/memory.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/workload/context_exchange.hpp"
#include "sim/workload/rank_layout.hpp"
#include "sim/workload/sync_group.hpp"

namespace longhaul {
namespace {

constexpr double fragmentation_share = 0.05;
constexpr double mask_bytes = 1;  // of dropout, per value

// What a stage keeps while it runs its steps, at its fullest.
struct InFlight {
  std::size_t most = 0;  // forwards of chunks that are not undone yet
  Bytes activations;
};

// A forward keeps `kept` per layer of its chunk; backward replaces that by all that the gradients of the weights need, `whole`,
// where these are computed apart.
InFlight in_flight_of(const std::vector<PipelineStep>& steps, const std::vector<StagePart>& chunks,
                      bool splits_backward, Bytes kept, Bytes whole) {
  std::size_t now = 0;
  std::size_t kept_layers = 0;
  std::size_t whole_layers = 0;
  InFlight result;
  for (const PipelineStep& step : steps) {
    const std::size_t layers = chunks[step.chunk].layers;
    if (step.direction == PipelineStep::Direction::forward) {
      ++now;
      kept_layers += layers;
    } else if (step.direction == PipelineStep::Direction::weight_gradient) {
      --now;
      whole_layers -= layers;
    } else {
      kept_layers -= layers;
      splits_backward ? whole_layers += layers : --now;
    }
    result.most = std::max(result.most, now);
    result.activations = std::max(
        result.activations, kept * static_cast<double>(kept_layers) + whole * static_cast<double>(whole_layers));
  }
  return result;
}

// s b h / c, the values of one activation tensor.
double width_of(const Job& job, const Plan& plan) {
  return static_cast<double>(job.model.sequence * job.model.hidden) * static_cast<double>(plan.micro_batch_size) /
         static_cast<double>(plan.degrees.context);
}

// Whether attention's scores are stored.
enum class Scores { kept, left_out };

// All that the backward of one layer needs. Per slice (with sequence parallelism split too): the inputs of both norms, of attention and of the feed-forward part,
// and two dropout masks; split among slices: queries, keys, values, the projection's input, two (gated: four) tensors of
// feed-forward width, and of each attention score two values and a mask, and another value after dropout.
Bytes layer_activations(const Job& job, const Plan& plan, Scores kept) {
  const auto slices = static_cast<double>(plan.degrees.tensor);
  const Model& model = job.model;
  const auto heads = static_cast<double>(model.heads);
  const double key_value_share = static_cast<double>(model.key_value_heads) / heads;
  const double inner =
      static_cast<double>(model.feed_forward * model.experts_per_token) / static_cast<double>(model.hidden);
  const double value = job.value_bytes();
  const double whole = (4 * value + 2 * mask_bytes) / (plan.sequence_parallel ? slices : 1);
  const double split = value * (2 + 2 * key_value_share + (model.gated ? 4 : 2) * inner);
  const double scores =
      heads * static_cast<double>(model.sequence) / static_cast<double>(model.hidden) * (2 * value + mask_bytes);
  return Bytes(width_of(job, plan) * (whole + (split + (kept == Scores::kept ? scores : 0)) / slices));
}

// ZeRO: what is sharded, a replica holds its share of. At stage 3 the parameters of two sync groups are there at once: of the
// one that computes and the one that is gathered.
void shard(const Job& job, const Plan& plan, Stage stage, StageMemory& memory) {
  const auto owned = [&](Bytes whole) {
    if (plan.shards.empty()) return whole / static_cast<double>(plan.degrees.copies());
    return whole * *std::max_element(plan.shards.begin(), plan.shards.end());
  };
  if (plan.sharding() >= 1) memory.optimizer = owned(memory.optimizer);
  if (plan.sharding() >= 2) memory.gradients = owned(memory.gradients);
  if (plan.sharding() < 3) return;
  double largest = 0;
  double second = 0;
  for (const SyncGroup& group : sync_groups_of(job, plan, stage)) {
    second = std::max(second, std::min(largest, group.gradient_share));
    largest = std::max(largest, group.gradient_share);
  }
  Bytes gathered = memory.parameters * (largest + second);
  if (job.live_parameters) gathered = std::min(gathered, Bytes(*job.live_parameters * job.value_bytes()));
  memory.parameters = owned(memory.parameters) + gathered;
}

std::optional<ProfiledActivations> measured_activations(const Job& job, const Plan& plan) {
  if (!job.compute.profile || job.recompute != Recompute::none) return std::nullopt;
  auto measured = profiled_activations(*job.compute.profile,
                                       {job.model, job.precision, "", plan.degrees.tensor, plan.micro_batch_size});
  if (!measured) return measured;
  for (Bytes* part : {&measured->layer, &measured->embedding, &measured->head})
    *part = *part / static_cast<double>(plan.degrees.context);
  return measured;
}

// Of one layer, without recomputation.
Bytes whole_layer(const Job& job, const Plan& plan) {
  const auto measured = measured_activations(job, plan);
  return measured ? measured->layer : layer_activations(job, plan, Scores::kept);
}

Bytes kept_per_layer(const Job& job, const Plan& plan, Bytes whole) {
  if (job.recompute == Recompute::none) return whole;
  if (job.recompute == Recompute::selective) return layer_activations(job, plan, Scores::left_out);
  const double split = plan.sequence_parallel ? static_cast<double>(plan.degrees.tensor) : 1;
  return std::min(whole,
                  Bytes(width_of(job, plan) * job.value_bytes() * static_cast<double>(job.kept_per_layer) / split));
}

StageMemory memory_of(const Job& job, const Plan& plan, const StageLoad& load, std::size_t stage,
                      const PipelineSchedule& schedule) {
  const std::size_t stages = plan.degrees.pipeline;
  const auto slices = static_cast<double>(plan.degrees.tensor);
  const double held = load.parameters * plan.held_share(load.parameters, load.expert_parameters) / slices;
  StageMemory memory;
  memory.parameters = memory.gradients = Bytes(held * job.value_bytes());
  // Sharded over as many replicas as hold it, every parameter's is divided by all in the end.
  const double optimized = plan.sharding() > 0 ? load.parameters / slices : held;
  if (!job.optimizer_offload) memory.optimizer = Bytes(optimized * (16 - 2 * job.value_bytes()));
  shard(job, plan, Stage(stage), memory);
  const auto measured = measured_activations(job, plan);
  const Bytes layer = whole_layer(job, plan);
  const Bytes kept = kept_per_layer(job, plan, layer);
  if (job.recompute == Recompute::full) memory.working_set = layer;
  if (job.recompute == Recompute::selective) memory.working_set = layer - kept;
  const InFlight in_flight =
      in_flight_of(schedule.steps(Stage(stage), shape_of(plan)), parts_of_stage(job, plan, Stage(stage)),
                   schedule.splits_backward, kept, layer);
  memory.in_flight = in_flight.most;
  memory.activations = in_flight.activations;
  if (measured && stage == 0) memory.activations += measured->embedding * static_cast<double>(in_flight.most);
  if (job.activation_offload) memory.activations = std::min(memory.activations, kept * 2);
  const Bytes activation = load.activation / static_cast<double>(plan.degrees.context);
  if (schedule.has_phases) {
    if (stage + 1 < stages) memory.messages = activation * (2 * static_cast<double>(memory.in_flight));
  } else {
    const bool in_circle = plan.virtual_stages > 1;
    const double neighbours = (stage > 0 || in_circle ? 1 : 0) + (stage + 1 < stages || in_circle ? 1 : 0);
    memory.messages = activation * (4 * neighbours);
  }
  if (plan.degrees.context > 1) memory.messages += key_value_bytes(job, plan) * 2;
  if (stage + 1 == stages && job.model.head == Head::language_model)
    memory.logits =
        Bytes(4 * static_cast<double>(job.model.sequence) * static_cast<double>(plan.micro_batch_size) *
              static_cast<double>(job.model.vocabulary) / static_cast<double>(plan.degrees.ranks_of_stage()));
  if (measured && stage + 1 == stages) memory.logits = measured->head;
  memory.fragmentation = memory.total() * fragmentation_share;
  memory.runtime = job.runtime_memory;
  return memory;
}

// The plan as if all replicas had the share of this one.
Plan with_share_of(Plan plan, Replica replica) {
  plan.rank_of_device.clear();
  plan.shards.assign(plan.degrees.data, plan.shard_of(replica));
  return plan;
}

}  // namespace

std::string StageMemory::name() const {
  return replica ? fmt::format("{} of replica {}", stage.value, replica->value) : fmt::to_string(stage.value);
}

Bytes StageMemory::total() const {
  return parameters + gradients + optimizer + activations + messages + working_set + logits + fragmentation + runtime;
}

StageActivations stage_activations(const Job& job, const Plan& plan, Stage stage) {
  const auto layers = static_cast<double>(plan.layers_per_stage[stage.value]);
  const auto measured = measured_activations(job, plan);
  const Bytes whole = whole_layer(job, plan);
  return {kept_per_layer(job, plan, whole) * layers, whole * layers,
          measured && stage.value == 0 ? measured->embedding : Bytes()};
}

std::vector<StageMemory> stage_memory(const Job& job, const Plan& plan) {
  const PipelineSchedule* schedule = find_pipeline_schedule(plan.schedule);
  require(schedule != nullptr, "the plan names no pipeline schedule");
  const RankLayout layout(plan);
  const StagePlans plans(plan, layout);
  std::vector<StageMemory> stages;
  for (std::size_t replica = 0; replica < (plan.has_equal_replicas() ? 1 : layout.replicas()); ++replica) {
    const PipelinePlan pipeline = plan.pipeline(Replica(replica));
    const std::vector<StageLoad> loads = stage_loads(job, pipeline.layers, pipeline.micro_batch_size);
    for (std::size_t stage = 0; stage < loads.size(); ++stage) {
      const Plan& seen = plans.of_cell(layout.cell(Replica(replica), Stage(stage)));
      stages.push_back(plan.shards.empty()
                           ? memory_of(job, seen, loads[stage], stage, *schedule)
                           : memory_of(job, with_share_of(seen, Replica(replica)), loads[stage], stage, *schedule));
      stages.back().stage = Stage(stage);
      if (!plan.has_equal_replicas()) stages.back().replica = Replica(replica);
    }
  }
  return stages;
}

std::vector<StageMemory> stage_memory(const Job& job, const Plan& plan, const PlatformView& platform) {
  std::vector<StageMemory> stages = stage_memory(job, plan);
  const RankLayout layout(plan);
  for (std::size_t device = 0; device < plan.rank_of_device.size(); ++device) {
    const Bytes memory = platform.device(DeviceId(device)).memory;
    if (memory == Bytes()) continue;
    const RankId rank = plan.rank_of_device[device];
    Bytes& smallest = stages[plan.has_equal_replicas() ? layout.stage(rank).value : layout.cell(rank)].device;
    smallest = smallest == Bytes() ? memory : std::min(smallest, memory);
  }
  return stages;
}

Bytes peak_memory(const std::vector<StageMemory>& stages) {
  Bytes peak;
  for (const StageMemory& stage : stages) peak = std::max(peak, stage.total());
  return peak;
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
