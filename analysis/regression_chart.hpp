// A regression as a picture.
#pragma once

#include "analysis/chart.hpp"
#include "analysis/regression.hpp"

namespace longhaul {

/// Simulated against recorded values on logarithmic axes: a series per suite, the diagonal, a band of 10 %. Values that
/// are not positive cannot be drawn; the summary counts them.
Chart regression_chart(const Regression& regression);

}  // namespace longhaul
