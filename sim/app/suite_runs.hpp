// How the program runs the cases of suites: the functions that analysis is handed.
#pragma once

#include <cstddef>

#include "analysis/case_runner.hpp"
#include "sim/app/progress_bar.hpp"
#include "sim/description/scenario.hpp"

namespace longhaul {

/// The case's scenario. UserError for every mistake that shows without a platform.
Scenario read_case(const SuiteCase& what);

/// Runs `processes` cases at a time, 0 = one per processor, and shows how far they are on `bar` as `what`.
CaseRunner case_runner(std::size_t processes, ProgressBar& bar, const std::string& what);

}  // namespace longhaul
