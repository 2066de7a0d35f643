// Ranks and groups of a placed plan, as text and as JSON.
#pragma once

#include <string>

#include "sim/description/job.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// A table of all ranks (device, type, region, replica, stage, slice, layers), then one of all groups with the devices of each.
std::string group_tables(const Job& job, const Plan& plan, const PlatformView& platform);

/// {"ranks": […], "groups": […]}, keys as in README.md.
std::string group_json(const Job& job, const Plan& plan, const PlatformView& platform);

}  // namespace longhaul
