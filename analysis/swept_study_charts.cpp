#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

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
  constexpr std::string_view part = "breakdown.";
  constexpr std::string_view unit = ".seconds";
  if (name.rfind(part, 0) == 0) name.erase(0, part.size());
  if (name.size() > unit.size() && name.compare(name.size() - unit.size(), unit.size(), unit) == 0)
    name.replace(name.size() - unit.size(), unit.size(), " (s)");
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

Scale scale_of(const std::vector<double>& values) {
  if (values.empty()) return Scale::linear;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *least > 0 && *most / *least > decade ? Scale::logarithmic : Scale::linear;
}

// The axis along x: the one that the study names, else the first of numbers, else none.
std::optional<std::size_t> axis_along_x(const SweptStudy& study) {
  if (study.figure) return study.figure->x;
  for (std::size_t i = 0; i < study.axes.size(); ++i)
    if (!study.axes[i].samples && !study.axes[i].numbers.empty() && study.axes[i].values.size() > 1) return i;
  return std::nullopt;
}

// The values at a place of all axes but `left_out`; numbers alone would not say what they count.
std::string name_of_place(const std::vector<SweptAxis>& axes, const SweptPoint& point,
                          std::optional<std::size_t> left_out) {
  std::string name;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i == left_out || axes[i].values.size() == 1 || !point.place[i]) continue;
    if (!name.empty()) name += ", ";
    if (!axes[i].numbers.empty()) name += axes[i].name + " ";
    name += axes[i].values[*point.place[i]];
  }
  return name;
}

void add(Series& series, const SweptPoint& point, bool samples) {
  series.y.push_back(samples ? point.p50 : point.mean);
  if (!samples) return;
  series.low.push_back(point.p10);
  series.high.push_back(point.p90);
}

void draw_lines(Chart& chart, const SweptStudy& study, const SweptMetric& metric, std::size_t along) {
  const SweptAxis& axis = study.axes[along];
  std::map<std::string, std::size_t> index;
  std::vector<SweptPoint> points;
  for (const SweptPoint& point : metric.points) {  // lines in study order
    if (!point.place[along]) continue;
    points.push_back(point);
    const std::string name = name_of_place(study.axes, point, along);
    if (!index.emplace(name, chart.series.size()).second) continue;
    chart.series.emplace_back();
    chart.series.back().name = name.empty() ? chart.y.label : name;
  }
  std::stable_sort(points.begin(), points.end(), [&](const SweptPoint& a, const SweptPoint& b) {
    return axis.numbers[*a.place[along]] < axis.numbers[*b.place[along]];
  });
  std::vector<double> ys;
  for (const SweptPoint& point : points) {
    Series& series = chart.series[index.at(name_of_place(study.axes, point, along))];
    series.x.push_back(axis.numbers[*point.place[along]]);
    add(series, point, study.has_samples());
    ys.push_back(series.y.back());
  }
  chart.kind = ChartKind::lines;
  chart.x = {axis.unit.empty() ? axis.name : fmt::format("{} ({})", axis.name, axis.unit), scale_of(axis.numbers)};
  chart.y.scale = scale_of(ys);
}

void draw_bars(Chart& chart, const SweptStudy& study, const SweptMetric& metric) {
  Series series;
  series.name = chart.y.label;
  for (const SweptPoint& point : metric.points) {
    const std::string name = name_of_place(study.axes, point, std::nullopt);
    chart.categories.push_back(name.empty() ? study.name : name);
    add(series, point, study.has_samples());
  }
  chart.kind = ChartKind::stacked_bars;
  chart.series.push_back(std::move(series));
}

// One bar per other value of the figure's axis: how much less it has than the reference, the largest difference first.
void draw_differences(Chart& chart, const SweptStudy& study, const SweptMetric& metric, const SweptFigure& figure) {
  std::map<std::string, double> base;  // of the reference, by the values on the other axes
  for (const SweptPoint& point : metric.points)
    if (point.place[figure.x] == figure.reference) base[name_of_place(study.axes, point, figure.x)] = point.p50;
  std::vector<std::pair<std::string, double>> bars;
  for (const SweptPoint& point : metric.points) {
    const auto reference = base.find(name_of_place(study.axes, point, figure.x));
    if (reference == base.end() || point.place[figure.x] == figure.reference) continue;
    bars.emplace_back(name_of_place(study.axes, point, std::nullopt), reference->second - point.p50);
  }
  std::stable_sort(bars.begin(), bars.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Series series;
  series.name = chart.y.label;
  for (const auto& [name, difference] : bars) {
    chart.categories.push_back(name);
    series.y.push_back(difference);
  }
  chart.kind = ChartKind::stacked_bars;
  chart.series.push_back(std::move(series));
}

// From where to where each line goes, or the least and most of all bars.
std::string summary_of(const Chart& chart) {
  std::string text = chart.y.label;
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
  if (y.empty()) return "Nothing to compare.";
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  return fmt::format("{}: from {:.4g} ({}) to {:.4g} ({}).", text, *least,
                     chart.categories[static_cast<std::size_t>(least - y.begin())], *most,
                     chart.categories[static_cast<std::size_t>(most - y.begin())]);
}

Chart chart_of(const SweptStudy& study, const SweptMetric& metric) {
  const bool wanted = study.figure && study.figure->y == metric.name;
  Chart chart;
  chart.id = identifier(study.name + "_" + metric.name);
  chart.y.label = wanted && !study.figure->y_label.empty() ? study.figure->y_label : label_of_metric(metric.name);
  chart.title = wanted && !study.figure->title.empty() ? study.figure->title : study.name + ": " + chart.y.label;
  const std::optional<std::size_t> along = axis_along_x(study);
  const bool differences = wanted && study.figure->reference;
  if (differences)
    draw_differences(chart, study, metric, *study.figure);
  else if (along && !study.axes[*along].numbers.empty())
    draw_lines(chart, study, metric, *along);
  else
    draw_bars(chart, study, metric);
  chart.summary = summary_of(chart);
  if (study.has_samples() && !differences)
    chart.summary += " Medians; bands reach from the 10th to the 90th percentile.";
  return chart;
}

}  // namespace

std::vector<Chart> swept_study_charts(const SweptStudy& study) {
  std::vector<Chart> charts;
  for (const SweptMetric& metric : study.metrics)
    if (!metric.points.empty()) charts.push_back(chart_of(study, metric));
  return charts;
}

}  // namespace longhaul
