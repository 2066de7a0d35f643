// How cases of suites become numbers. Analysis is handed the functions that run them and sees no engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/suite.hpp"
#include "sim/results/run_record.hpp"

namespace longhaul {

enum class Extent { planned, simulated };

struct CaseRunner {
  /// Plans the case, and simulates it if the extent says so. Called in child processes.
  std::function<RunRecord(const SuiteCase&, Extent)> run;
  /// The case's scenario as YAML, every default spelled out; UserError for any mistake that shows without running.
  std::function<std::string(const SuiteCase&)> resolved;
  std::size_t processes = 1;                   // cases at a time
  std::function<void(double share)> progress;  // may be empty
};

/// A case of a suite, perhaps with further overrides than the suite's.
struct Trial {
  const Suite* suite;
  SuiteCase what;
};

/// All cases of the suites, in order.
std::vector<Trial> trials_of(const std::vector<Suite>& suites);

/// Reads every case's scenario, so that a mistake in the last one costs no waiting.
void check_cases(const std::vector<Suite>& suites, const CaseRunner& runner);

/// Simulated value x scale of each trial, run side by side in child processes. UserError at the suite's metric if a
/// run lacks it; otherwise errors of the first trial that fails.
std::vector<double> simulated_values(const std::vector<Trial>& trials, const CaseRunner& runner);

}  // namespace longhaul
