#include "analysis/study_chart.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace longhaul {
namespace {

StudyFigure figure_of(const Study& study) {
  if (study.figure) return *study.figure;
  StudyFigure figure;
  figure.title = study.description;
  figure.y = figure.y_label = study.metrics.front();
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    if (!study.axes[axis].samples && !study.axes[axis].only_on) figure.x = axis;
  return figure;
}

// More than a decade, and all positive.
Scale scale_of(const std::vector<double>& numbers) {
  if (numbers.empty()) return Scale::linear;
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  return *least > 0 && *most > 10 * *least ? Scale::logarithmic : Scale::linear;
}

std::string series_name(const Study& study, const StudyPoint& point, std::size_t x) {
  std::string name;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    if (axis != x && point[axis]) name += (name.empty() ? "" : ", ") + label_at(study, point, axis);
  return name.empty() ? study.name : name;
}

Series& series_named(std::vector<Series>& series, const std::string& name) {
  const auto found = std::find_if(series.begin(), series.end(), [&](const Series& one) { return one.name == name; });
  if (found != series.end()) return *found;
  series.emplace_back();
  series.back().name = name;
  return series.back();
}

void subtract_from_reference(Chart& chart, std::size_t reference) {
  for (Series& series : chart.series) {
    const double base = series.y[reference];
    for (double& y : series.y) y = base - y;
    series.y.erase(series.y.begin() + static_cast<std::ptrdiff_t>(reference));
  }
  chart.categories.erase(chart.categories.begin() + static_cast<std::ptrdiff_t>(reference));
}

}  // namespace

Chart chart_of(const StudyResults& results) {
  const Study& study = results.study;
  const StudyFigure figure = figure_of(study);
  const StudyAxis& axis = study.axes[figure.x];
  const std::vector<double> numbers = axis.numbers();
  const bool lines = !numbers.empty() && !figure.reference;
  const auto metric = static_cast<std::size_t>(std::find(study.metrics.begin(), study.metrics.end(), figure.y) -
                                               study.metrics.begin());

  Chart chart;
  chart.id = "study";
  chart.title = figure.title;
  chart.kind = lines ? ChartKind::lines : ChartKind::stacked_bars;
  chart.x.label = axis.unit().empty() ? axis.name : fmt::format("{} ({})", axis.name, axis.unit());
  chart.x.scale = lines ? scale_of(numbers) : Scale::linear;
  chart.y.label = figure.y_label;
  if (!lines)
    for (const AxisValue& value : axis.values) chart.categories.push_back(value.label);

  std::vector<double> all;
  for (const StudySummary& summary : summaries_of(results)) {
    if (summary.metric != metric || !summary.point[figure.x]) continue;
    Series& series = series_named(chart.series, series_name(study, summary.point, figure.x));
    const bool known = summary.count > 0;
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    if (lines) series.x.push_back(numbers[*summary.point[figure.x]]);
    series.y.push_back(known ? summary.p50 : nothing);
    series.low.push_back(known ? summary.p10 : nothing);
    series.high.push_back(known ? summary.p90 : nothing);
    if (known) all.push_back(summary.p50);
  }
  for (Series& series : chart.series)
    if (!lines || series.low == series.high) {
      series.low.clear();
      series.high.clear();
    }
  if (lines) chart.y.scale = scale_of(all);
  if (figure.reference) subtract_from_reference(chart, *figure.reference);
  chart.summary =
      fmt::format("{}: {} over {}, {} series.", figure.title, chart.y.label, axis.name, chart.series.size());
  return chart;
}

}  // namespace longhaul
