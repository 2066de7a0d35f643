// Fitting: the point of the unit cube at which the mean absolute residual is least.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace longhaul {

using Point = std::vector<double>;  // coordinates in [0, 1]
/// Residuals of each point. Many points at once, so that they can be worked out side by side.
using Residuals = std::function<std::vector<std::vector<double>>(const std::vector<Point>&)>;

struct Minimum {
  Point point;
  double mean_absolute = 0;     // residual
  std::size_t evaluations = 0;  // points that were tried
};

/// Mean of the absolute values; 0 of none.
double mean_absolute(const std::vector<double>& residuals);

/// The best point found with at most `budget` evaluations (but at least the start), without randomness:
/// Gauss-Newton steps on the residuals (finite differences; least absolute values by reweighted least squares within
/// a box around the point), then a Nelder-Mead polish of what those steps leave.
Minimum minimize_mean_absolute(const Residuals& residuals, const Point& start, std::size_t budget);

}  // namespace longhaul
