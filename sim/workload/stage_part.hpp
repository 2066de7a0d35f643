// A stage in parts: the chunks that an interleaving schedule runs in turns, and what they compute.
#pragma once

#include <vector>

#include "sim/description/job.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/schedule.hpp"

namespace longhaul {

/// Neighbouring layers of one stage. Shares are of what the whole stage computes, by FLOP, or holds, by parameters.
struct StagePart {
  std::size_t chunk = 0;
  std::size_t layers = 0;
  double forward_share = 1;
  double backward_share = 1;         // of the gradients of the inputs only, where the schedule splits backward
  double weight_gradient_share = 1;  // of the gradients of the weights, where it does
  double gradient_share = 1;         // of its gradients
};

/// Of the stage's computation in a direction.
double share_of(const StagePart& part, PipelineStep::Direction direction);

/// The chunks of a stage, plan.virtual_stages of them, as even as whole layers allow, each cut into min(`pieces`, its layers)
/// parts in the same way; from the first layer to the last. The embeddings go with the first layers of the first stage, the
/// head with the last ones of the last.
std::vector<StagePart> parts_of_stage(const Job& job, const Plan& plan, Stage stage, std::size_t pieces = 1);

/// A stage of one chunk, cut into so many layers each, from the first to the last.
std::vector<StagePart> cut_stage(const Job& job, const Plan& plan, Stage stage,
                                 const std::vector<std::size_t>& layers);

/// What the plan's schedule needs to know.
PipelineShape shape_of(const Plan& plan);
PipelineShape shape_of(const Plan& plan, Replica replica);

/// Where synchronous transfers would bring a pipeline to a stop (stuck_when_synchronous). The shapes can be run.
struct StuckPipeline {
  Replica replica;
  Stage stage;
};
std::optional<StuckPipeline> stuck_pipeline(const Plan& plan);

/// Whether its schedule can run it: the shape, every chunk with a layer, as many sync groups for each, no
/// synchronous transfers around a circle of stages or where they get stuck; and whether gradients can be sharded as plan.zero says: by rings, from
/// stage 2 on without pipeline.
bool can_run(const Plan& plan);

}  // namespace longhaul
