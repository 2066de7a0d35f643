#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/chart_axes.hpp"
#include "analysis/chart_kinds_gnuplot.hpp"
#include "sim/base/error.hpp"

namespace longhaul {
namespace {

constexpr std::size_t most_columns_with_values = 24;
constexpr double least_height = 150;  // of all, for the name beside the colour box
constexpr int digits = 3;

struct Cells {
  double width = 20;
  double height = 20;
  bool values = false;   // written into them
  bool upright = false;  // names of columns, because they are wider than columns
  double names = 0;      // the widest name of a column
};

Cells cells_of(const Chart& chart) {
  Cells cells;
  cells.values = chart.categories.size() <= most_columns_with_values;
  for (const std::string& name : chart.categories)
    cells.names = std::max(cells.names, text_width(shortened(name), font_size));
  if (cells.values) {
    cells.width = 44;
    cells.height = 36;
    for (const Series& row : chart.series)
      for (const double value : row.y)
        cells.width = std::max(cells.width, 14 + text_width(rounded(value, digits), small_font_size));
  }
  const double columns = std::max(1.0, static_cast<double>(chart.categories.size()));
  cells.width = std::max(cells.width, 240 / columns);
  cells.height = std::max(cells.height, least_height / std::max(1.0, static_cast<double>(chart.series.size())));
  cells.upright = cells.names + 8 > cells.width;
  return cells;
}

Layout layout_of(const Chart& chart, const Cells& cells) {
  Layout layout;
  layout.title = chart.title;
  double widest = 0;
  for (const Series& row : chart.series) widest = std::max(widest, text_width(shortened(row.name), font_size));
  layout.left = 50 + widest;
  layout.plot_width = cells.width * static_cast<double>(std::max<std::size_t>(1, chart.categories.size()));
  layout.plot_height = cells.height * static_cast<double>(std::max<std::size_t>(1, chart.series.size()));
  layout.right = 120;  // the colour box
  layout.below = 40 + (cells.upright ? cells.names : 18);
  return layout;
}

std::string named_ticks(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted_tick(shortened(names[i])), i);
  return "(" + list + ")";
}

std::string axes(const Chart& chart, const Cells& cells, const Layout& layout) {
  std::vector<std::string> rows;
  for (const Series& row : chart.series) rows.push_back(row.name);
  return fmt::format(
      "unset grid\nset border 0\n"
      "set xrange [-0.5:{}] noextend\nset yrange [{}:-0.5] noextend\n"
      "set xtics scale 0 {}{}\nset ytics scale 0 {}\n"
      "set label {} at graph 0.5,{:.5f} center\n",
      std::max(1.0, static_cast<double>(chart.categories.size())) - 0.5,
      std::max(1.0, static_cast<double>(rows.size())) - 0.5, cells.upright ? "rotate by 90 right " : "",
      named_ticks(chart.categories), named_ticks(rows), quoted(chart.x.label),
      -(layout.below - 14) / layout.plot_height);
}

// Dark cells carry light text.
std::string value_labels(const Chart& chart, const AxisRange& range) {
  std::string script;
  for (std::size_t row = 0; row < chart.series.size(); ++row)
    for (std::size_t column = 0; column < chart.series[row].y.size(); ++column) {
      const double value = chart.series[row].y[column];
      const bool placed = has_place(value, range.scale);
      const double share = range.scale == Scale::logarithmic
                               ? std::log(value / range.low) / std::log(range.high / range.low)
                               : (value - range.low) / (range.high - range.low);
      script +=
          fmt::format("set label {} at {},{} center font ',{}' tc rgb '{}' front\n", quoted(rounded(value, digits)),
                      column, row, small_font_size, placed && share > 0.55 ? "white" : "#222222");
    }
  return script;
}

}  // namespace

Drawing drawing_of_matrix(const Chart& chart) {
  const Cells cells = cells_of(chart);
  const Layout layout = layout_of(chart, cells);
  std::vector<double> values;
  for (const Series& row : chart.series) values.insert(values.end(), row.y.begin(), row.y.end());
  const AxisRange range = axis_range(values, chart.y.scale, RangeKind::tight);
  std::string script = script_head(layout) + axes(chart, cells, layout);
  script += "set palette defined (0 '#f2f6fb', 0.25 '#bcd3ea', 0.5 '#6ea3d0', 0.75 '#2c6ca8', 1 '#0b3563')\n";
  script += fmt::format("set colorbox user noborder origin graph {:.5f},0 size graph {:.5f},1\n",
                        1 + 16 / layout.plot_width, 14 / layout.plot_width);
  script += axis_commands("cb", chart.y.label, range, 7);
  if (cells.values) script += value_labels(chart, range);
  script += "$cells << END\n";
  for (std::size_t row = 0; row < chart.series.size(); ++row)
    for (std::size_t column = 0; column < chart.series[row].y.size(); ++column) {
      const double value = chart.series[row].y[column];
      if (has_place(value, range.scale)) script += fmt::format("{} {} {}\n", column, row, value);
    }
  script +=
      "NaN NaN NaN\nEND\n"
      "plot $cells using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid 1 border lc rgb 'white' "
      "fc "
      "palette\n";
  return {chart.title, chart.summary, script, {chart.title}};
}

}  // namespace longhaul
