// The group of ranks that hold the same gradients, as a call of a collective.
#pragma once

#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// A call among the replicas of one stage (and slice), in the order that plan.ring_orders says, complete but for `bytes` and
/// `ready`. `devices` by rank.
CollectiveCall sync_call(const Plan& plan, const std::vector<DeviceId>& devices, const PlatformView& platform,
                         const NetworkModel& network, Stage stage, std::size_t slice);

}  // namespace longhaul
