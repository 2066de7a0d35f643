// A sync team as a call of a collective.
#pragma once

#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// A call among the ranks of team number `team` (sync_team.hpp; `ranks` by replica), in the order that plan.ring_orders says,
/// complete but for `bytes` and `ready`. `devices` by rank.
CollectiveCall sync_call(const Plan& plan, const std::vector<RankId>& ranks, std::size_t team,
                         const std::vector<DeviceId>& devices, const PlatformView& platform,
                         const NetworkModel& network);

/// The places in `ranks` in the order of the team's ring: plan.ring_orders, or by replica.
std::vector<std::size_t> ring_places(const Plan& plan, std::size_t team, std::size_t members);

}  // namespace longhaul
