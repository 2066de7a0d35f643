// Suites, run: what was recorded against what is simulated.
#pragma once

#include <string>
#include <vector>

#include "analysis/case_runner.hpp"
#include "analysis/error_summary.hpp"
#include "analysis/line_fit.hpp"
#include "analysis/pair_ranking.hpp"
#include "analysis/suite.hpp"

namespace longhaul {

struct SuiteResult {
  Suite suite;
  std::vector<CaseResult> cases;  // in the suite's order
  ErrorSummary summary;
  std::vector<LineError> lines;  // empty without slope_over
};

struct GroupResult {
  SuiteGroup group = SuiteGroup::predict;
  ErrorSummary summary;  // of all its suites' cases
};

struct Regression {
  std::vector<SuiteResult> suites;  // in the order given
  std::vector<GroupResult> groups;  // those that occur: calibrate, predict, baseline
  std::vector<RankingResult> rankings;

  bool passed() const;
};

/// Runs every case of every suite. Errors as in check_cases and simulated_values.
Regression regress(const std::vector<Suite>& suites, const CaseRunner& runner);

/// The same from values that are already there: one per case, in the order of trials_of.
Regression regression_of(const std::vector<Suite>& suites, const std::vector<double>& simulated);

}  // namespace longhaul
