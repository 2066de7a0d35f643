#include "sim/workload/stage_part.hpp"

#include <algorithm>

namespace longhaul {
namespace {

// What a part computes and holds, before it is divided by what the stage does.
StagePart amounts_of(const Job& job, const Plan& plan, std::size_t layers, bool embedded, bool headed) {
  const Flops backward = layer_forward_flops(job.model) * 2 + recomputed_flops(job);
  const auto count = static_cast<double>(layers);
  StagePart part;
  part.layers = layers;
  part.forward_share = layer_forward_flops(job.model).value * count;
  part.backward_share = backward.value * count;
  part.weight_gradient_share = layer_weight_gradient_flops(job.model).value * count;
  part.gradient_share = parameters_per_layer(job.model) * count;
  if (embedded) part.gradient_share += embedding_parameters(job.model);
  if (headed) {
    const double head = head_forward_flops(job.model).value;
    part.forward_share += head;
    part.backward_share += head * 2;
    part.weight_gradient_share += head;
    part.gradient_share += head_parameters(job.model);
  }
  if (find_pipeline_schedule(plan.schedule)->splits_backward) part.backward_share -= part.weight_gradient_share;
  return part;
}

void divide_by_sums(std::vector<StagePart>& parts) {
  for (double StagePart::*share : {&StagePart::forward_share, &StagePart::backward_share,
                                   &StagePart::weight_gradient_share, &StagePart::gradient_share}) {
    double sum = 0;
    for (const StagePart& part : parts) sum += part.*share;
    for (StagePart& part : parts) part.*share /= sum;
  }
}

}  // namespace

std::vector<StagePart> parts_of_stage(const Job& job, const Plan& plan, Stage stage, std::size_t pieces) {
  const std::size_t layers = plan.layers_per_stage[stage.value];
  std::vector<StagePart> parts;
  const std::vector<std::size_t> chunks = even_layers(layers, plan.virtual_stages);
  for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    const std::vector<std::size_t> sizes = even_layers(chunks[chunk], std::min(pieces, chunks[chunk]));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool first = stage.value == 0 && parts.empty();
      const bool last =
          stage.value + 1 == plan.degrees.pipeline && chunk + 1 == chunks.size() && i + 1 == sizes.size();
      parts.push_back(amounts_of(job, plan, sizes[i], first, last));
      parts.back().chunk = chunk;
    }
  }
  divide_by_sums(parts);
  return parts;
}

std::vector<StagePart> cut_stage(const Job& job, const Plan& plan, Stage stage,
                                 const std::vector<std::size_t>& layers) {
  std::vector<StagePart> parts;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool last = stage.value + 1 == plan.degrees.pipeline && i + 1 == layers.size();
    parts.push_back(amounts_of(job, plan, layers[i], stage.value == 0 && i == 0, last));
  }
  divide_by_sums(parts);
  return parts;
}

double share_of(const StagePart& part, PipelineStep::Direction direction) {
  if (direction == PipelineStep::Direction::forward) return part.forward_share;
  return direction == PipelineStep::Direction::backward ? part.backward_share : part.weight_gradient_share;
}

PipelineShape shape_of(const Plan& plan) {
  return {plan.degrees.pipeline, plan.micro_batches, plan.virtual_stages, plan.warm_up};
}

PipelineShape shape_of(const Plan& plan, Replica replica) {
  if (plan.pipelines.empty()) return shape_of(plan);
  const PipelinePlan& pipeline = plan.pipelines[replica.value];
  return {pipeline.layers.size(), pipeline.micro_batches, plan.virtual_stages, pipeline.warm_up};
}

std::optional<StuckPipeline> stuck_pipeline(const Plan& plan) {
  if (!plan.synchronous_transfers) return std::nullopt;
  for (std::size_t replica = 0; replica < std::max<std::size_t>(1, plan.pipelines.size()); ++replica) {
    const PipelineShape shape = shape_of(plan, Replica(replica));
    if (const auto stage = stuck_when_synchronous(*find_pipeline_schedule(plan.schedule), shape))
      return StuckPipeline{Replica(replica), *stage};
  }
  return std::nullopt;
}

bool can_run(const Plan& plan) {
  if (plan.degrees.data % plan.expert != 0 || (plan.expert > 1 && !plan.pipelines.empty())) return false;
  const PipelineSchedule& schedule = *find_pipeline_schedule(plan.schedule);
  for (std::size_t replica = 0; replica < plan.pipelines.size(); ++replica)
    if (!can_run(schedule, shape_of(plan, Replica(replica)))) return false;
  const std::size_t fewest = *std::min_element(plan.layers_per_stage.begin(), plan.layers_per_stage.end());
  if (plan.virtual_stages > 1 && plan.synchronous_transfers) return false;
  if (plan.zero > 0 && plan.gradient_sync != zero_collective) return false;
  if (plan.zero > 1 && plan.degrees.pipeline > 1) return false;
  return can_run(schedule, shape_of(plan)) && !stuck_pipeline(plan) && fewest >= plan.virtual_stages &&
         (plan.sync_groups == 1 || plan.sync_groups % plan.virtual_stages == 0);
}

}  // namespace longhaul
