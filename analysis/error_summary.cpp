#include "analysis/error_summary.hpp"

#include <cmath>

namespace longhaul {
namespace {

constexpr double rounding = 1e-9;  // 115 / 100 - 1 is a little more than 0.15

}  // namespace

bool CaseResult::passed() const {
  return (compare == Compare::at_most ? error() : std::abs(error())) <= tolerance + rounding;
}

ErrorSummary summary_of(const std::vector<CaseResult>& results) {
  ErrorSummary summary;
  summary.cases = results.size();
  if (results.empty()) return summary;
  const auto count = static_cast<double>(results.size());
  for (const CaseResult& result : results) {
    const double error = result.error();
    summary.passed += result.passed() ? 1 : 0;
    summary.mean_absolute_error += std::abs(error) / count;
    summary.bias += error / count;
    summary.within_ten_percent += std::abs(error) <= 0.1 + rounding ? 1 / count : 0;
    if (std::abs(error) > std::abs(summary.worst)) summary.worst = error;
  }
  return summary;
}

}  // namespace longhaul
