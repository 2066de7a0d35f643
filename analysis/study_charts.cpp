#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "analysis/result_charts.hpp"

namespace longhaul {
namespace {

constexpr double decade = 10;

std::string identifier(const std::string& text) {
  std::string word;
  for (const char character : text) {
    const bool upper = character >= 'A' && character <= 'Z';
    const bool plain = (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
    word += upper ? static_cast<char>(character - 'A' + 'a') : plain ? character : '_';
  }
  return word;
}

// "iteration_seconds" -> "iteration (s)".
std::string label_of_metric(std::string name) {
  constexpr std::pair<const char*, const char*> known[] = {{"iteration_seconds", "iteration (s)"},
                                                           {"pflops", "throughput (PFLOPS)"},
                                                           {"samples_per_second", "throughput (sequences/s)"},
                                                           {"cost_model.total_seconds", "cost model (s)"}};
  for (const auto& [key, label] : known)
    if (name == key) return label;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

Scale scale_of(const std::vector<double>& values) {
  if (values.empty()) return Scale::linear;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *least > 0 && *most / *least > decade ? Scale::logarithmic : Scale::linear;
}

// Index into the plain axes of the one that goes along x, if any is made of numbers.
std::optional<std::size_t> axis_along_x(const std::vector<const StudyAxis*>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i]->numeric() && axes[i]->values.size() > 1) return i;
  return std::nullopt;
}

// The values at a place of all axes but `left_out`; numbers alone would not say what they count.
std::string name_of_place(const std::vector<const StudyAxis*>& axes, const StudyPoint& point, std::size_t left_out) {
  std::string name;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i == left_out || axes[i]->values.size() == 1) continue;
    if (!name.empty()) name += ", ";
    if (axes[i]->numeric()) name += axes[i]->name + " ";
    name += axes[i]->values[point.place[i]];
  }
  return name;
}

void add(Series& series, const StudyPoint& point, bool samples) {
  series.y.push_back(samples ? point.p50 : point.mean);
  if (!samples) return;
  series.low.push_back(point.p10);
  series.high.push_back(point.p90);
}

void draw_lines(Chart& chart, const StudyResult& study, const StudyMetric& metric, std::size_t along) {
  const std::vector<const StudyAxis*> axes = study.plain_axes();
  std::map<std::string, std::size_t> index;
  std::vector<double> xs;
  std::vector<double> ys;
  std::vector<StudyPoint> points = metric.points;
  std::stable_sort(points.begin(), points.end(), [&](const StudyPoint& a, const StudyPoint& b) {
    return *axes[along]->numbers[a.place[along]] < *axes[along]->numbers[b.place[along]];
  });
  for (const StudyPoint& point : metric.points) {  // lines in study order
    const std::string name = name_of_place(axes, point, along);
    if (!index.emplace(name, chart.series.size()).second) continue;
    chart.series.emplace_back();
    chart.series.back().name = name.empty() ? label_of_metric(metric.name) : name;
  }
  for (const StudyPoint& point : points) {
    Series& series = chart.series[index.at(name_of_place(axes, point, along))];
    series.x.push_back(*axes[along]->numbers[point.place[along]]);
    add(series, point, study.has_samples());
    xs.push_back(series.x.back());
    ys.push_back(series.y.back());
  }
  chart.kind = ChartKind::lines;
  chart.x = {axes[along]->name, scale_of(xs)};
  chart.y.scale = scale_of(ys);
}

void draw_bars(Chart& chart, const StudyResult& study, const StudyMetric& metric) {
  const std::vector<const StudyAxis*> axes = study.plain_axes();
  Series series;
  series.name = label_of_metric(metric.name);
  for (const StudyPoint& point : metric.points) {
    const std::string name = name_of_place(axes, point, axes.size());
    chart.categories.push_back(name.empty() ? study.name : name);
    add(series, point, study.has_samples());
  }
  chart.kind = ChartKind::stacked_bars;
  chart.series.push_back(std::move(series));
}

// From where to where each line goes, or the least and most of all bars.
std::string summary_of(const Chart& chart, const std::string& label) {
  std::string text = label;
  if (chart.kind == ChartKind::lines) {
    const std::size_t told = std::min<std::size_t>(chart.series.size(), 4);
    for (std::size_t i = 0; i < told; ++i) {
      const Series& line = chart.series[i];
      text += fmt::format("{} {}{:.3g} at {:.3g} and {:.3g} at {:.3g}", i == 0 ? ":" : ";",
                          chart.series.size() > 1 ? line.name + " " : "", line.y.front(), line.x.front(),
                          line.y.back(), line.x.back());
    }
    if (told < chart.series.size()) text += fmt::format("; and {} more lines", chart.series.size() - told);
    return fmt::format("{}, over {}.", text, chart.x.label);
  }
  const std::vector<double>& y = chart.series.front().y;
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  return fmt::format("{}: from {:.4g} ({}) to {:.4g} ({}).", text, *least,
                     chart.categories[static_cast<std::size_t>(least - y.begin())], *most,
                     chart.categories[static_cast<std::size_t>(most - y.begin())]);
}

}  // namespace

std::vector<Chart> study_charts(const StudyResult& study) {
  std::vector<Chart> charts;
  for (const StudyMetric& metric : study.metrics) {
    if (metric.points.empty()) continue;
    Chart chart;
    chart.id = identifier(study.name + "_" + metric.name);
    const std::string label = label_of_metric(metric.name);
    const std::optional<std::size_t> along = axis_along_x(study.plain_axes());
    chart.y.label = label;
    if (along)
      draw_lines(chart, study, metric, *along);
    else
      draw_bars(chart, study, metric);
    chart.title = study.name + ": " + label;
    chart.summary = summary_of(chart, label);
    if (study.has_samples()) chart.summary += " Medians; bands reach from the 10th to the 90th percentile.";
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace longhaul
