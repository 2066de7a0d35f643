// One function per kind of chart; drawing_of in chart_gnuplot.hpp picks.
#pragma once

#include "analysis/chart.hpp"
#include "analysis/gnuplot.hpp"

namespace longhaul {

Drawing drawing_of_lines(const Chart& chart);
Drawing drawing_of_points(const Chart& chart);
Drawing drawing_of_bars(const Chart& chart);
Drawing drawing_of_matrix(const Chart& chart);

}  // namespace longhaul
