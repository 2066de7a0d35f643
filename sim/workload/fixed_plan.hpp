// What is decided about a plan before a scheduler places the ranks.
#pragma once

#include "sim/description/scenario.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// A plan complete but for its placement. UserError for unknown names, degrees that do not fit the number of devices
/// or layers, a batch that is too small, a barrier where the schedule has no phases.
///
/// Passes = floor(global batch / (replicas x micro-batches x micro-batch size)): with 40 layers DT-FM's pass has 62
/// micro-batches, so that a global batch of 1024 on 8 replicas really trains 2 x 8 x 62 = 992 sequences.
Plan fixed_plan(const Scenario& scenario, std::size_t devices);

/// UserError if the iteration would have more tasklets than fit into memory; for plans that a scheduler changed.
void check_size(const Plan& plan, const Scenario& scenario);

/// Sequences that an iteration of the plan trains.
std::size_t samples_per_iteration(const Plan& plan);

}  // namespace longhaul
