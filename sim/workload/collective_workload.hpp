// A benchmark of the network: one call of a collective over all ranks, as micro-benchmarks time it.
#pragma once

#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// The collective plan.gradient_sync over all ranks in rank order, with the gradient bytes of the job's only stage.
TaskletGraph collective_tasklets(const Job& job, const Plan& plan, const PlatformView& platform,
                                 const NetworkModel& network);

}  // namespace longhaul
