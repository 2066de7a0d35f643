#include "analysis/timeline_gnuplot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/chart_axes.hpp"
#include "sim/base/error.hpp"
#include "sim/workload/rank_layout.hpp"

namespace longhaul {
namespace {

constexpr std::size_t most_bars = 20'000;
constexpr std::size_t most_bordered_bars = 5'000;

struct Look {
  TaskletKind kind;
  const char* name;
  std::size_t colour;
};
constexpr Look looks[] = {{TaskletKind::forward, "forward", 0},
                          {TaskletKind::backward, "backward", 1},
                          {TaskletKind::weight_gradient, "weight gradient", 2},
                          {TaskletKind::weight_update, "weight update", 6},
                          {TaskletKind::reduction, "reduction", 2},
                          {TaskletKind::activation_transfer, "activation transfer", 5},
                          {TaskletKind::gradient_transfer, "gradient transfer", 3},
                          {TaskletKind::gradient_exchange, "gradient exchange", 3},
                          {TaskletKind::parameter_transfer, "parameter transfer", 0},
                          {TaskletKind::tensor_transfer, "tensor transfer", 4},
                          {TaskletKind::expert_transfer, "expert transfer", 4},
                          {TaskletKind::context_transfer, "context transfer", 4}};

bool same_lane(const Bar& a, const Bar& b) { return a.device == b.device && a.lane == b.lane; }

std::vector<Bar> all_bars(const RunResult& run) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < run.tasklets.size(); ++i) {
    const Tasklet& tasklet = run.tasklets[i];
    const Span& span = run.timeline.spans[i];
    if (tasklet.kind == TaskletKind::barrier || tasklet.kind == TaskletKind::barrier_message) continue;
    if (span.released <= span.start) continue;
    const bool transfer = is_transfer(tasklet.kind);
    bars.push_back({tasklet.device, transfer ? Lane::send : Lane::compute, tasklet.kind, span.start, span.released});
    if (transfer) bars.push_back({tasklet.target, Lane::receive, tasklet.kind, span.start, span.released});
  }
  std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) {
    return std::tuple(a.device.value, a.lane, a.start.value) < std::tuple(b.device.value, b.lane, b.start.value);
  });
  return bars;
}

std::vector<Bar> merged(const std::vector<Bar>& bars, Seconds gap) {
  std::vector<Bar> result;
  for (const Bar& bar : bars) {
    const bool joins = !result.empty() && same_lane(result.back(), bar) && result.back().kind == bar.kind &&
                       bar.start.value - result.back().end.value <= gap.value;
    if (joins)
      result.back().end = std::max(result.back().end, bar.end);
    else
      result.push_back(bar);
  }
  return result;
}

std::vector<Bar> longest(const std::vector<Bar>& bars, std::size_t most) {
  std::vector<std::size_t> order(bars.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bars[a].end.value - bars[a].start.value > bars[b].end.value - bars[b].start.value;
  });
  order.resize(std::min(order.size(), most));
  std::sort(order.begin(), order.end());
  std::vector<Bar> result;
  for (const std::size_t i : order) result.push_back(bars[i]);
  return result;
}

// Row of each device, from the top.
std::vector<std::size_t> rows_of(const RunResult& run) {
  const std::vector<RankId>& ranks = run.record.plan.rank_of_device;
  std::vector<std::size_t> devices(run.platform.size());
  std::iota(devices.begin(), devices.end(), std::size_t{0});
  if (ranks.size() == devices.size())
    std::stable_sort(devices.begin(), devices.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[a].value < ranks[b].value; });
  std::vector<std::size_t> rows(devices.size());
  for (std::size_t row = 0; row < devices.size(); ++row) rows[devices[row]] = row;
  return rows;
}

// Upper and lower edge within a row of height 1.
std::pair<double, double> edges_of(Lane lane) {
  switch (lane) {
    case Lane::compute:
      return {-0.44, 0.06};
    case Lane::send:
      return {0.08, 0.24};
    case Lane::receive:
      return {0.26, 0.42};
  }
  throw InternalError("no such lane");
}

double row_height(std::size_t rows) { return std::clamp(1000 / static_cast<double>(rows), 1.0, 26.0); }

std::string row_commands(const RunResult& run, const std::vector<std::size_t>& rows, double height) {
  std::string script =
      fmt::format("set yrange [{}:-0.5] noextend\nset grid noytics\n", static_cast<double>(rows.size()) - 0.5);
  if (height < 9) return script + "set ytics scale 0 ('' 0)\nset ylabel 'devices, by rank'\n";
  script += fmt::format("set ytics scale 0 font ',{}' (", std::min(small_font_size, std::floor(height * 0.8)));
  for (std::size_t device = 0; device < rows.size(); ++device)
    script += fmt::format("{}{} {}", device == 0 ? "" : ", ",
                          quoted_tick(shortened(run.platform.devices()[device].name)), rows[device]);
  return script + ")\n";
}

// Between the replicas of the pipeline.
std::string separators(const RunResult& run, std::size_t rows) {
  const RankLayout layout(run.record.plan);
  std::string script;
  if (run.record.plan.degrees.pipeline < 2) return script;
  for (std::size_t row = 1; row < rows; ++row) {
    if (layout.replica(RankId(row)) == layout.replica(RankId(row - 1))) continue;
    script += fmt::format("set arrow from graph 0, first {0} to graph 1, first {0} nohead lw 0.8 lc rgb '#999999'\n",
                          static_cast<double>(row) - 0.5);
  }
  return script;
}

Layout layout_of(const RunResult& run, double height) {
  Layout layout;
  layout.title = fmt::format("What each device does, {}, {}", run.record.scenario, run.record.scheduler);
  layout.plot_width = 900;
  layout.plot_height = std::max(60.0, height * static_cast<double>(run.platform.size()));
  layout.left = 40;
  if (height >= 9)
    for (const Device& device : run.platform.devices())
      layout.left = std::max(layout.left, 24 + text_width(shortened(device.name), small_font_size));
  return layout;
}

}  // namespace

std::vector<Bar> timeline_bars(const RunResult& run, std::size_t most) {
  const std::vector<Bar> bars = all_bars(run);
  std::vector<Bar> result = bars;
  const double end = run.timeline.end.value;
  for (double gap = end * 1e-6; result.size() > most && gap < 2 * end; gap *= 2) result = merged(bars, Seconds(gap));
  return result.size() > most ? longest(result, most) : result;
}

Drawing drawing_of_timeline(const RunResult& run) {
  const std::vector<Bar> bars = timeline_bars(run, most_bars);
  const std::vector<std::size_t> rows = rows_of(run);
  const double height = row_height(std::max<std::size_t>(1, rows.size()));
  Layout layout = layout_of(run, height);
  std::string data;
  std::vector<std::string> plots;
  Drawing drawing{layout.title, "", "", {}};
  for (const Look& look : looks) {
    std::string lines;
    for (const Bar& bar : bars) {
      if (bar.kind != look.kind) continue;
      const auto [top, bottom] = edges_of(bar.lane);
      const double row = static_cast<double>(rows[bar.device.value]);
      lines += fmt::format("{0} {1} {0} {2} {3} {4}\n", bar.start.value, row, bar.end.value, row + top, row + bottom);
    }
    if (lines.empty()) continue;
    const std::size_t block = plots.size();
    data += fmt::format("$kind_{} << END\n{}END\n", block, lines);
    plots.push_back(fmt::format("$kind_{} using 1:2:3:4:5:6 with boxxyerror fs solid 1 {} fc rgb '{}'", block,
                                bars.size() > most_bordered_bars ? "noborder" : "border lc rgb 'white' lw 0.3",
                                colour(look.colour)));
    layout.legend.push_back({look.name, Sample::box, colour(look.colour)});
    drawing.plots.emplace_back(look.name);
  }
  if (plots.empty()) plots.emplace_back("NaN");
  drawing.summary = fmt::format(
      "{} devices by rank from top to bottom over {} s; of each row the upper part is computing, the lower parts are "
      "sending and receiving.",
      rows.size(), rounded(run.timeline.end.value, 4));
  const AxisRange time = axis_range({0, run.timeline.end.value}, Scale::linear, RangeKind::tight);
  drawing.script =
      script_head(layout) +
      axis_commands("x", "time (s); of each device: computing above, sending and receiving below", time, 12) +
      row_commands(run, rows, height) + separators(run, rows.size()) + data +
      fmt::format("plot {}\n", fmt::join(plots, ", \\\n  "));
  return drawing;
}

}  // namespace longhaul
