// How far simulated values are from recorded ones.
#pragma once

#include <string>
#include <vector>

#include "analysis/suite.hpp"

namespace longhaul {

/// What one case came to. Error = simulated / recorded - 1.
struct CaseResult {
  std::string label;
  double recorded = 0;  // positive
  double simulated = 0;
  double tolerance = 0;
  Compare compare = Compare::equal;

  double error() const { return simulated / recorded - 1; }
  /// |error| <= tolerance, or error <= tolerance with Compare::at_most; rounding of 1e-9 is forgiven.
  bool passed() const;
};

/// Shares, not percent. `worst` is the signed error of the largest magnitude.
struct ErrorSummary {
  std::size_t cases = 0;
  std::size_t passed = 0;
  double mean_absolute_error = 0;
  double bias = 0;  // mean of the signed errors
  double worst = 0;
  double within_ten_percent = 0;
};

ErrorSummary summary_of(const std::vector<CaseResult>& results);

}  // namespace longhaul
