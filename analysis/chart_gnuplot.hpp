// Charts as pictures for papers.
#pragma once

#include <string>

#include "analysis/chart.hpp"
#include "analysis/gnuplot.hpp"

namespace longhaul {

/// How gnuplot draws it. Lines are drawn in the order of x; values that are not finite, or not positive on a
/// logarithmic scale, are gaps.
Drawing drawing_of(const Chart& chart);

/// An SVG document, errors as in svg_of(Drawing). Readable without colours and without eyes: marks differ, every series
/// carries its name, title and summary are its text alternative.
std::string svg_of(const Chart& chart);

}  // namespace longhaul
