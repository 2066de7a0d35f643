// The engine: runs a workload on a platform with SimGrid.
#pragma once

#include <functional>
#include <string>

#include "sim/description/network_model.hpp"
#include "sim/description/platform_loader.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/workload.hpp"

namespace longhaul {

/// Simulates `workload` on `platform` and says when each tasklet started and ended.
///
/// Every device has a compute, a send and a receive stream. Each serves one tasklet at a time, first come, first
/// served; a transfer holds the sender's send stream and the receiver's receive stream while its bytes pass. Links
/// carry the transfers of all devices as SimGrid shares them.
///
/// A pure function to its callers: SimGrid runs in a forked child. `progress`, if set, is told the fraction of
/// tasklets finished. Throws UserError when the workload cannot progress (naming what waits for what), when
/// the platform changes in a way that is not simulated (a device's speed, something going down), and when SimGrid fails.
Timeline simulate(const Platform& platform, Workload& workload, const NetworkModel& network,
                  const std::function<void(double)>& progress = nullptr);

}  // namespace longhaul
