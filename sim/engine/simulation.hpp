// One SimGrid run. One per process: call it in a forked child (simulate.hpp does).
#pragma once

#include <vector>

#include "sim/description/network_model.hpp"
#include "sim/description/platform_loader.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/workload.hpp"

namespace longhaul {

/// The spans of all tasklets, by id. Throws UserError when tasklets remain that nothing can start.
std::vector<Span> run_simulation(const Platform& platform, Workload& workload, const NetworkModel& network);

}  // namespace longhaul
