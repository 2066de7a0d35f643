// Replicas that differ, as the scenario describes them.
#pragma once

#include <vector>

#include "sim/description/platform_view.hpp"
#include "sim/description/scenario.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// One per replica, of plan.pipelines. UserError where layers do not add up to the model, slices do not divide its heads, or
/// what is said of all stages alike (measured times, byte counts, ZeRO, chunks) does not fit replicas that differ.
std::vector<PipelinePlan> fixed_pipelines(const Scenario& scenario);

/// UserError if the platform has fewer devices of a type than replicas are pinned to it.
void check_device_types(const Scenario& scenario, const PlatformView& platform);

}  // namespace longhaul
