#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/chart_axes.hpp"
#include "analysis/chart_kinds_gnuplot.hpp"
#include "analysis/label_places.hpp"

namespace longhaul {
namespace {

constexpr std::size_t most_labels = 24;  // of a chart; with more points it shows none
constexpr int most_y_ticks = 8;

AxisRange range_of(const Chart& chart, bool of_x, bool of_y) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    if (of_x) values.insert(values.end(), series.x.begin(), series.x.end());
    if (of_y) values.insert(values.end(), series.y.begin(), series.y.end());
  }
  return axis_range(values, of_x ? chart.x.scale : chart.y.scale, RangeKind::padded);
}

double share(double value, const AxisRange& range) {
  if (range.scale == Scale::logarithmic) return std::log(value / range.low) / std::log(range.high / range.low);
  return (value - range.low) / (range.high - range.low);
}

struct Axes {
  AxisRange x;
  AxisRange y;
};

std::vector<Mark> marks_of(const Chart& chart, const Axes& axes, const Layout& layout) {
  std::vector<Mark> marks;
  for (const Series& series : chart.series)
    for (std::size_t i = 0; i < series.y.size(); ++i)
      if (has_place(series.x[i], chart.x.scale) && has_place(series.y[i], chart.y.scale))
        marks.push_back({layout.plot_width * share(series.x[i], axes.x),
                         layout.plot_height * share(series.y[i], axes.y),
                         series.labels.empty() ? "" : series.labels[i]});
  return marks;
}

std::string labels_of(const std::vector<Mark>& marks, const Layout& layout) {
  return marks.size() > most_labels ? "" : label_commands(marks, layout);
}

// x, low, middle, high along y = x; straight on both kinds of axes where the range begins above zero.
std::string diagonal_data(const AxisRange& range, double band) {
  std::string data = "$diagonal << END\n";
  for (const double x : {range.low, range.high})
    data += fmt::format("{} {} {} {}\n", x, x * (1 - band), x, x * (1 + band));
  return data + "END\n";
}

}  // namespace

Drawing drawing_of_points(const Chart& chart) {
  const bool alike = chart.diagonal.has_value();
  const Axes axes = alike ? Axes{range_of(chart, true, true), range_of(chart, true, true)}
                          : Axes{range_of(chart, true, false), range_of(chart, false, true)};
  Layout layout;
  layout.title = chart.title;
  layout.plot_height = alike ? 540 : 400;
  layout.plot_width = alike ? 540 : 600;
  layout.right = alike ? 90 : 60;
  layout.left = 60 + ticks_width(axes.y, most_y_ticks);
  std::vector<std::string> plots;
  Drawing drawing{chart.title, chart.summary, "", {}};
  std::string data;
  if (alike) {
    data += diagonal_data(axes.x, *chart.diagonal);
    if (*chart.diagonal > 0) {
      const std::string name = fmt::format("within {} %", rounded(100 * *chart.diagonal, 3));
      plots.push_back("$diagonal using 1:2:4 with filledcurves fc rgb '#888888' fs transparent solid 0.18");
      drawing.plots.push_back(name);
      layout.legend.push_back({name, Sample::box, "#e5e5e5"});
    }
    plots.emplace_back("$diagonal using 1:3 with lines lw 1.2 lc rgb '#444444'");
    drawing.plots.emplace_back("equal");
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    data += fmt::format("$points_{} << END\n", i);
    bool any = false;
    for (std::size_t k = 0; k < series.y.size(); ++k)
      if (has_place(series.x[k], chart.x.scale) && has_place(series.y[k], chart.y.scale)) {
        data += fmt::format("{} {}\n", series.x[k], series.y[k]);
        any = true;
      }
    data += any ? "END\n" : "0 NaN\nEND\n";
    // Translucent: where marks lie on each other it shows.
    plots.push_back(fmt::format("$points_{} using 1:2 with points pt {} ps 0.9 lc rgb '#50{}' ", i, point_type(i),
                                colour(i).substr(1)));
    layout.legend.push_back({series.name, Sample::mark, "#50" + colour(i).substr(1), point_type(i)});
    drawing.plots.push_back(series.name);
  }
  if (plots.empty()) plots.emplace_back("NaN");
  drawing.script = script_head(layout) + axis_commands("x", chart.x.label, axes.x, alike ? 8 : 10) +
                   axis_commands("y", chart.y.label, axes.y, most_y_ticks) +
                   labels_of(marks_of(chart, axes, layout), layout) + data +
                   fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
  return drawing;
}

}  // namespace longhaul
