// From command line options to a scenario.
#pragma once

#include <string>

#include "sim/app/commands.hpp"
#include "sim/description/scenario.hpp"

namespace longhaul {

/// The path itself if there is such a file (not a folder), else that of the shipped scenario of this name.
std::string scenario_path(const std::string& file_or_name);

/// Reads the scenario with the options' overrides. A scheduler written `rank_map:FILE` also sets the rank map.
Scenario read_scenario(const ScenarioOptions& options);

}  // namespace longhaul
