// What moving states between a device and its host adds to its computing times.
#pragma once

#include "sim/description/job.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/compute_time.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// Adds to the times of one rank of a stage, with the job's offload_rate r; nothing where that is not given.
/// - An offloaded optimizer: the gradients go down and the updated parameters come up, one after the other and neither behind
///   computing: 2 x gradient bytes of the rank (its share, where ZeRO shards the optimizer) / r (ZeRO-Offload, arXiv 2101.06840
///   section 4, without its overlap).
/// - Offloaded activations: what backward keeps of a micro-batch goes down behind its own forward and comes up behind its own
///   backward, layer by layer, so each takes max(computing, bytes / r).
void add_offload_times(const Job& job, const Plan& plan, const StageLoad& load, Stage stage, const Device& device,
                       StageTimes& times);

}  // namespace longhaul
