// Where the computing times of a plan come from, for whoever reads its results.
#pragma once

#include <string>
#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

struct ComputeOrigin {
  std::string device_type;
  std::string origin;  // measured, interpolated, scaled from what by what (layer_profile.hpp)
};

/// Each kind of origin of each device type once, in order of the devices; empty without a profile. The plan is placed.
std::vector<ComputeOrigin> compute_origins(const Job& job, const Plan& plan, const PlatformView& platform);

}  // namespace longhaul
