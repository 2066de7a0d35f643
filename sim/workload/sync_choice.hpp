// What gradient sync by `auto` chooses.
#pragma once

#include <string>
#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// For each team (sync_team.hpp: stage x tensor + slice where replicas are alike) the collective that its gradients go through;
/// where pieces of its layers choose differently, all their names, joined by " + ". Empty if the plan names a collective, or
/// nothing is synchronised. The plan must be placed.
std::vector<std::string> chosen_collectives(const Job& job, const Plan& plan, const PlatformView& platform,
                                            const NetworkModel& network);

}  // namespace longhaul
