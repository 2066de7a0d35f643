// Fitting named parameters to suites of micro-benchmarks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/case_runner.hpp"
#include "analysis/parameter.hpp"

namespace longhaul {

/// Errors here are mean absolute relative errors: mean of |simulated / recorded - 1|.
struct SuiteFit {
  std::string suite;
  std::size_t cases = 0;
  double before = 0;  // with the scenarios as they are
  double after = 0;
};

/// The error over all cases when one parameter alone moves.
struct Moved {
  double value = 0;  // +10 % or -10 % of the fitted value, at most to the bound
  double error = 0;
};

struct FittedParameter {
  Parameter parameter;
  double start = 0;  // of the search
  double fitted = 0;
  Moved up;
  Moved down;

  /// The optimum lies beyond, or the data do not say: a fit to distrust.
  bool at_bound() const { return fitted == parameter.low || fitted == parameter.high; }
};

struct Calibration {
  std::vector<SuiteFit> suites;
  std::vector<FittedParameter> parameters;
  double before = 0;  // over the cases of all suites, each of which counts once
  double after = 0;
  std::size_t evaluations = 0;  // points that were tried; each runs every case once
};

/// The parameters that the suites name under `fit`, or of these the ones in `wanted`, in the suites' order. UserError
/// if a suite is not of group calibrate, if there are none, if one is unknown, if two suites give different bounds,
/// or if some suite sets the key itself.
std::vector<Parameter> parameters_of(const std::vector<Suite>& suites, const std::vector<std::string>& wanted);

/// Fits the parameters to all cases, with minimize_mean_absolute on values scaled to their bounds. The search starts
/// at the values in the resolved scenario of the first case of the first suite that names the parameter, moved into
/// the bounds; in the middle of the bounds where that scenario has no such key. The fitted values are rounded to five
/// significant digits, and the errors are those of the rounded values. Deterministic.
Calibration calibrate(const std::vector<Suite>& suites, const std::vector<Parameter>& parameters,
                      const CaseRunner& runner, std::size_t evaluations);

}  // namespace longhaul
