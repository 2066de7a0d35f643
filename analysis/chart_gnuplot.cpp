#include "analysis/chart_gnuplot.hpp"

#include "analysis/chart_kinds_gnuplot.hpp"
#include "sim/base/error.hpp"

namespace longhaul {

Drawing drawing_of(const Chart& chart) {
  switch (chart.kind) {
    case ChartKind::lines:
      return drawing_of_lines(chart);
    case ChartKind::points:
      return drawing_of_points(chart);
    case ChartKind::stacked_bars:
      return drawing_of_bars(chart);
    case ChartKind::matrix:
      return drawing_of_matrix(chart);
  }
  throw InternalError("a chart of no kind");
}

std::string svg_of(const Chart& chart) { return svg_of(drawing_of(chart)); }

}  // namespace longhaul
