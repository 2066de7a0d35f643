#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/chart_axes.hpp"
#include "analysis/chart_kinds_gnuplot.hpp"

namespace longhaul {
namespace {

constexpr int most_y_ticks = 7;
constexpr std::size_t most_marks = 60;  // a line with more points is drawn without marks

Sample sample_of(const Series& series) { return series.y.size() > most_marks ? Sample::line : Sample::marked_line; }

// The second seven lines repeat the colours of the first.
int dash_type(std::size_t index) { return 1 + static_cast<int>(index / 7 % 4); }

std::vector<std::size_t> order_of(const Series& series) {
  std::vector<std::size_t> order(series.y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return series.x[a] < series.x[b]; });
  return order;
}

// A line, and the band's pieces between gaps: gnuplot fills across what is missing.
struct Curve {
  std::string line;
  std::vector<std::string> band;
};

Curve curve_of(const Series& series, const Chart& chart) {
  Curve curve;
  bool gap = true;
  for (const std::size_t i : order_of(series)) {
    if (!has_place(series.x[i], chart.x.scale)) continue;
    const double y = has_place(series.y[i], chart.y.scale) ? series.y[i] : std::nan("");
    curve.line += fmt::format("{} {}\n", series.x[i], datum(y));
    if (series.low.empty() || series.high.empty()) continue;
    const bool banded = has_place(series.low[i], chart.y.scale) && has_place(series.high[i], chart.y.scale);
    if (banded && gap) curve.band.emplace_back();
    if (banded) curve.band.back() += fmt::format("{} {} {}\n", series.x[i], series.low[i], series.high[i]);
    gap = !banded;
  }
  if (curve.line.empty()) curve.line = "0 NaN\n";
  return curve;
}

std::string data_block(const std::string& name, const std::string& lines) {
  return fmt::format("{} << END\n{}END\n", name, lines);
}

AxisRange x_range(const Chart& chart) {
  std::vector<double> values;
  for (const Series& series : chart.series) values.insert(values.end(), series.x.begin(), series.x.end());
  return axis_range(values, chart.x.scale, RangeKind::tight);
}

AxisRange y_range(const Chart& chart) {
  std::vector<double> values;
  for (const Series& series : chart.series)
    for (const std::vector<double>* part : {&series.y, &series.low, &series.high})
      values.insert(values.end(), part->begin(), part->end());
  return axis_range(values, chart.y.scale, RangeKind::from_zero);
}

}  // namespace

Drawing drawing_of_lines(const Chart& chart) {
  Layout layout;
  layout.title = chart.title;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    layout.legend.push_back(
        {chart.series[i].name, sample_of(chart.series[i]), colour(i), point_type(i), dash_type(i)});
  const AxisRange y = y_range(chart);
  layout.left = 60 + ticks_width(y, most_y_ticks);
  Drawing drawing{chart.title, chart.summary, script_head(layout), {}};
  drawing.script += axis_commands("x", chart.x.label, x_range(chart), 10);
  drawing.script += axis_commands("y", chart.y.label, y, most_y_ticks);

  std::vector<std::string> bands;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    const Curve curve = curve_of(series, chart);
    for (std::size_t piece = 0; piece < curve.band.size(); ++piece) {
      const std::string name = fmt::format("$band_{}_{}", i, piece);
      drawing.script += data_block(name, curve.band[piece]);
      bands.push_back(
          fmt::format("{} using 1:2:3 with filledcurves fc rgb '{}' fs transparent solid 0.25", name, colour(i)));
      drawing.plots.push_back("");
    }
    const std::string name = fmt::format("$line_{}", i);
    drawing.script += data_block(name, curve.line);
    lines.push_back(fmt::format("{} using 1:2 with {} lw 2 lc rgb '{}' dt {} pt {} ps 0.6", name,
                                sample_of(series) == Sample::line ? "lines" : "linespoints", colour(i), dash_type(i),
                                point_type(i)));
  }
  if (lines.empty()) lines.emplace_back("NaN");
  for (const Series& series : chart.series) drawing.plots.push_back(series.name);
  bands.insert(bands.end(), lines.begin(), lines.end());
  drawing.script += fmt::format("plot {}\n", fmt::join(bands, ", \\\n  "));
  return drawing;
}

}  // namespace longhaul
