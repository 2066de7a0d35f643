// Whether pipeline schedule and sharding fit the rest of a scenario.
#pragma once

#include "sim/description/scenario.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// UserError where the plan's schedule cannot run its stages, chunks, layers, micro-batches, barriers or sync groups, or
/// ZeRO cannot shard it.
void check_schedule(const Scenario& scenario, const Plan& plan);

}  // namespace longhaul
