// How the program runs plans on changed scenarios: the functions that explanations are handed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/rerun.hpp"
#include "sim/description/scenario.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// Whether links can be changed: not on a platform given as a SimGrid file.
bool has_changeable_links(const Scenario& scenario);

/// The scenario with the changes applied on top of its own. UserError where a change cannot be made.
Scenario changed_scenario(const Scenario& scenario, const std::vector<WhatIf>& changes);

/// Runs `plans`, made by `schedulers`, on changes of the scenario, one per processor at a time. Keeps copies of both.
Rerunner rerunner_of(const Scenario& scenario, const std::vector<Plan>& plans,
                     const std::vector<std::string>& schedulers);

}  // namespace longhaul
