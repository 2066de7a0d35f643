// What is said about a workload that stands still.
#pragma once

#include <vector>

#include "sim/base/error.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/workload.hpp"

namespace longhaul {

/// Names the first tasklets of `workload` that have no finish in `spans` (none, or a negative one), and what they wait for.
UserError stuck_workload(const Workload& workload, const std::vector<Span>& spans);

}  // namespace longhaul
