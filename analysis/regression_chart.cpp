#include "analysis/regression_chart.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/regression_report.hpp"

namespace longhaul {
namespace {

std::string units_of(const Regression& regression) {
  std::vector<std::string> units;
  for (const SuiteResult& suite : regression.suites)
    if (std::find(units.begin(), units.end(), suite.suite.unit) == units.end()) units.push_back(suite.suite.unit);
  return fmt::format("{}", fmt::join(units, " or "));
}

std::string summary_of(const Regression& regression) {
  std::string text = "Points on the diagonal are exact.";
  std::size_t left_out = 0;
  for (const SuiteResult& suite : regression.suites) {
    text +=
        fmt::format(" {}: {} cases, mean absolute error {:.1f} %, worst {}.", suite.suite.name, suite.summary.cases,
                    100 * suite.summary.mean_absolute_error, signed_percent(suite.summary.worst));
    left_out += static_cast<std::size_t>(std::count_if(
        suite.cases.begin(), suite.cases.end(), [](const CaseResult& result) { return result.simulated <= 0; }));
  }
  if (left_out > 0) text += fmt::format(" {} values that are not positive are not drawn.", left_out);
  return text;
}

}  // namespace

Chart regression_chart(const Regression& regression) {
  Chart chart;
  chart.id = "regression";
  chart.title = "Simulated against recorded values; mean error of each suite";
  chart.summary = summary_of(regression);
  chart.kind = ChartKind::points;
  const std::string units = units_of(regression);
  chart.x = {"recorded (" + units + ")", Scale::logarithmic};
  chart.y = {"simulated (" + units + ")", Scale::logarithmic};
  chart.diagonal = 0.1;
  for (const SuiteResult& suite : regression.suites) {
    Series series;
    series.name = fmt::format("{} {:.1f} %", suite.suite.name, 100 * suite.summary.mean_absolute_error);
    for (const CaseResult& result : suite.cases) {
      series.x.push_back(result.recorded);
      series.y.push_back(result.simulated);
      series.labels.push_back(result.label);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace longhaul
