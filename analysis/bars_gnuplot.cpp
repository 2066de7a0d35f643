#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/chart_axes.hpp"
#include "analysis/chart_kinds_gnuplot.hpp"
#include "sim/base/error.hpp"

namespace longhaul {
namespace {

constexpr double bar_pitch = 34;
constexpr double bar_half = 0.36;  // in rows

std::vector<double> totals_of(const Chart& chart) {
  std::vector<double> totals(chart.categories.size(), 0);
  for (const Series& series : chart.series)
    for (std::size_t i = 0; i < totals.size(); ++i)
      if (has_place(series.y[i], Scale::linear)) totals[i] += series.y[i];
  return totals;
}

// Where the band of each bar ends, if bars of a single series have bands.
std::vector<double> band_ends(const Chart& chart) {
  return chart.series.size() == 1 ? chart.series.front().high : std::vector<double>{};
}

Layout layout_of(const Chart& chart) {
  Layout layout;
  layout.title = chart.title;
  layout.left = 40;
  for (const std::string& category : chart.categories)
    layout.left = std::max(layout.left, 30 + text_width(shortened(category), font_size));
  layout.plot_width = 520;
  layout.plot_height = std::max(2.0, static_cast<double>(chart.categories.size())) * bar_pitch;
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    layout.legend.push_back({chart.series[i].name, Sample::box, colour(i)});
  return layout;
}

// First category on top; the length of a bar is along x.
std::string axes(const Chart& chart, const std::vector<double>& totals) {
  std::vector<double> lengths = totals;
  const std::vector<double> ends = band_ends(chart);
  lengths.insert(lengths.end(), ends.begin(), ends.end());
  for (double& length : lengths) length *= 1.08;  // room for the label
  std::string script = axis_commands("x", chart.y.label, axis_range(lengths, Scale::linear, RangeKind::from_zero), 8);
  script += fmt::format("set yrange [{}:-0.5] noextend\nset grid noytics\nset ytics scale 0 (",
                        static_cast<double>(std::max<std::size_t>(2, totals.size())) - 0.5);
  for (std::size_t i = 0; i < totals.size(); ++i)
    script += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted_tick(shortened(chart.categories[i])), i);
  script += ")\n";
  for (std::size_t i = 0; i < totals.size(); ++i)
    script += fmt::format("set label {} at {},{} left offset character 0.6,0 font ',{}' front\n",
                          quoted(rounded(totals[i], 4)),
                          ends.empty() || !std::isfinite(ends[i]) ? totals[i] : ends[i], i, small_font_size);
  return script;
}

}  // namespace

Drawing drawing_of_bars(const Chart& chart) {
  const std::vector<double> totals = totals_of(chart);
  Drawing drawing{chart.title, chart.summary, script_head(layout_of(chart)) + axes(chart, totals), {}};
  std::vector<double> begin(totals.size(), 0);
  std::vector<std::string> plots;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Series& series = chart.series[s];
    drawing.script += fmt::format("$part_{} << END\n", s);
    for (std::size_t i = 0; i < totals.size(); ++i) {
      const double length = has_place(series.y[i], Scale::linear) ? series.y[i] : 0;
      const double row = static_cast<double>(i);
      drawing.script += fmt::format("{} {} {} {} {} {}\n", begin[i], row, begin[i], begin[i] + length, row - bar_half,
                                    row + bar_half);
      begin[i] += length;
    }
    if (totals.empty()) drawing.script += "NaN NaN NaN NaN NaN NaN\n";
    drawing.script += "END\n";
    plots.push_back(
        fmt::format("$part_{} using 1:2:3:4:5:6 with boxxyerror fs solid 1 border lc rgb 'white' fc rgb "
                    "'{}'",
                    s, colour(s)));
    drawing.plots.push_back(series.name);
  }
  if (const std::vector<double> ends = band_ends(chart); !ends.empty()) {
    drawing.script += "$bands << END\n";
    const std::vector<double>& begins = chart.series.front().low;
    for (std::size_t i = 0; i < totals.size(); ++i)
      if (std::isfinite(begins[i]) && std::isfinite(ends[i]))
        drawing.script += fmt::format("{} {} {} {}\n", totals[i], i, begins[i], ends[i]);
    drawing.script += "NaN NaN NaN NaN\nEND\n";
    plots.emplace_back("$bands using 1:2:3:4 with xerrorbars pt -1 lw 1.5 lc rgb '#222222'");
    drawing.plots.push_back(chart.series.front().name);
  }
  if (plots.empty()) plots.emplace_back("NaN");
  drawing.script += fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
  return drawing;
}

}  // namespace longhaul
