// The numbers of a run by name: the dotted keys of `run --json`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/results/run_record.hpp"

namespace longhaul {

/// Keys whose value is a number in every run, such as iteration_seconds or cost_model.total_seconds, in the order of
/// the JSON. What the plan alone tells comes without a simulation, see needs_simulation.
std::vector<std::string> metric_names();

/// Whether the metric exists only once the plan was simulated.
bool needs_simulation(const std::string& metric);

/// The metric of a run; nothing if the run has no such number.
std::optional<double> metric_value(const RunRecord& record, const std::string& metric);

}  // namespace longhaul
