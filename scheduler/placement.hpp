// What every scheduler does with a placement.
#pragma once

#include <vector>

#include "scheduler/scheduler.hpp"

namespace longhaul {

/// Throws UserError unless the job has exactly one rank per device of the platform.
void check_one_rank_per_device(const Problem& problem);

/// Throws UserError if the plan has tensor or context parallelism, which partitions into stages cannot express.
void check_no_tensor_parallelism(const Problem& problem);

/// Throws UserError if replicas differ, which DT-FM's cost model and Megatron-LM's order do not know.
void check_replicas_alike(const Problem& problem);

/// The placement with ranks of replicas that are pinned to a device type swapped onto such devices, as few as need be.
std::vector<RankId> on_their_types(const Plan& plan, const PlatformView& platform,
                                   std::vector<RankId> rank_of_device);

/// What the scenario wants of a plan that only places: work shared out by the speed of devices, rings along short tours.
Plan finished(const Problem& problem, Plan plan);

/// The problem's plan with that placement, on device types as pinned, nothing searched.
Decision decide(const Problem& problem, std::vector<RankId> rank_of_device);

}  // namespace longhaul
