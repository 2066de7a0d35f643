// A plot of simulated against recorded values.
#pragma once

#include <string>

#include "analysis/regression.hpp"

namespace longhaul {

/// An SVG document: both axes logarithmic and alike, the diagonal and lines at +10 % and -10 %, a colour and a mark
/// per suite with a legend, title and description as text alternative. The same regression gives the same bytes.
/// Values that are not positive cannot be drawn; the description counts them.
std::string scatter_svg(const Regression& regression);

}  // namespace longhaul
