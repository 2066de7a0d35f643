// The linear problem inside a fit.
#pragma once

#include <vector>

namespace longhaul {

/// residuals + jacobian x step, row by row.
struct LinearResiduals {
  std::vector<double> residuals;
  std::vector<std::vector<double>> jacobian;  // one row per residual
};

/// The step within [lower, upper] (lower <= 0 <= upper in every coordinate) that makes the mean absolute value least,
/// by iteratively reweighted least squares; coordinates that leave the box are held at its edge.
std::vector<double> least_absolute_step(const LinearResiduals& problem, const std::vector<double>& lower,
                                        const std::vector<double>& upper);

}  // namespace longhaul
