// What every scheduler does with a placement.
#pragma once

#include <vector>

#include "scheduler/scheduler.hpp"

namespace longhaul {

/// Throws UserError unless the job has exactly one rank per device of the platform.
void check_one_rank_per_device(const Problem& problem);

/// Throws UserError if the plan has tensor parallelism, which partitions into stages cannot express.
void check_no_tensor_parallelism(const Problem& problem);

/// The problem's plan with that placement, nothing searched.
Decision decide(const Problem& problem, std::vector<RankId> rank_of_device);

}  // namespace longhaul
