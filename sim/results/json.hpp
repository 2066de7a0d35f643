// RunRecord -> JSON. Keys, types and units are described in README.md and stay as they are.
#pragma once

#include <string>
#include <vector>

#include "sim/results/run_record.hpp"

namespace longhaul {

enum class Timing { hidden, shown };  // wall-clock seconds make output differ from run to run

/// One object / an array of objects, indented, with a line break at the end.
std::string json_of(const RunRecord& record, Timing timing);
std::string json_of(const std::vector<RunRecord>& records, Timing timing);
/// The plan alone.
std::string json_of(const Plan& plan);

}  // namespace longhaul
