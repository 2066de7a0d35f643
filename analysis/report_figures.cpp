#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/report_parts.hpp"
#include "sim/base/xml_text.hpp"

namespace longhaul {
namespace {

constexpr std::size_t many_columns = 12;  // of a matrix: more do not fit a page

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.5g}", value) : "–"; }

// Three digits, but no exponent for everyday magnitudes.
std::string short_number(double value) {
  const double size = std::abs(value);
  if (size >= 100 && size < 1e6) return fmt::format("{:.0f}", value);
  if (size < 1e-9) return "0";
  return fmt::format("{:.3g}", value);
}

std::string head_row(const std::vector<std::string>& names) {
  std::string row = "<thead><tr>";
  for (const std::string& name : names) row += "<th scope=\"col\">" + xml_escaped(name) + "</th>";
  return row + "</tr></thead>\n<tbody>\n";
}

std::string bars_table(const Chart& chart) {
  std::vector<std::string> names{chart.x.label.empty() ? "" : chart.x.label};
  for (const Series& series : chart.series) names.push_back(series.name);
  const bool band = chart.series.size() == 1 && !chart.series.front().low.empty();
  if (band) names.insert(names.end(), {"10th percentile", "90th"});
  std::string table = head_row(names);
  for (std::size_t i = 0; i < chart.categories.size(); ++i) {
    table += "<tr><th scope=\"row\">" + xml_escaped(chart.categories[i]) + "</th>";
    for (const Series& series : chart.series) table += "<td>" + number(series.y[i]) + "</td>";
    if (band)
      table += fmt::format("<td>{}</td><td>{}</td>", number(chart.series[0].low[i]), number(chart.series[0].high[i]));
    table += "</tr>\n";
  }
  return table;
}

std::string points_table(const Chart& chart) {
  const bool labels = std::any_of(chart.series.begin(), chart.series.end(),
                                  [](const Series& series) { return !series.labels.empty(); });
  const bool bands =
      std::any_of(chart.series.begin(), chart.series.end(), [](const Series& series) { return !series.low.empty(); });
  std::vector<std::string> names{labels ? "" : "line", chart.x.label, chart.y.label};
  if (bands) names.insert(names.end(), {"10th percentile", "90th"});
  std::string table = head_row(names);
  for (const Series& series : chart.series)
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      const std::string& name = series.labels.empty() ? series.name : series.labels[i];
      table += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>", xml_escaped(name),
                           number(series.x[i]), number(series.y[i]));
      if (bands)
        table += series.low.empty()
                     ? "<td>–</td><td>–</td>"
                     : fmt::format("<td>{}</td><td>{}</td>", number(series.low[i]), number(series.high[i]));
      table += "</tr>\n";
    }
  return table;
}

// Where a value lies between the least and the most of the matrix, from 0 to 1.
class Heat {
 public:
  explicit Heat(const Chart& chart) : logarithmic_(chart.y.scale == Scale::logarithmic) {
    for (const Series& row : chart.series)
      for (const double value : row.y)
        if (std::isfinite(value) && (value > 0 || !logarithmic_)) {
          least_ = std::min(least_, scaled(value));
          most_ = std::max(most_, scaled(value));
        }
  }
  double operator()(double value) const {
    if (most_ <= least_ || (logarithmic_ && value <= 0)) return 0;
    return (scaled(value) - least_) / (most_ - least_);
  }

 private:
  double scaled(double value) const { return logarithmic_ ? std::log(value) : value; }

  bool logarithmic_;
  double least_ = 1e300;
  double most_ = -1e300;
};

std::string matrix_table(const Chart& chart) {
  const Heat heat(chart);
  std::string table = fmt::format("<div class=\"scroll\"><table class=\"heat{}\" id=\"table-{}\">\n",
                                  chart.categories.size() > many_columns ? " many" : "", chart.id);
  table += fmt::format("<caption>{}, from row to column</caption>\n<thead><tr><td></td>", xml_escaped(chart.y.label));
  for (const std::string& name : chart.categories)
    table += "<th scope=\"col\"><span>" + xml_escaped(name) + "</span></th>";
  table += "</tr></thead>\n<tbody>\n";
  for (const Series& row : chart.series) {
    table += "<tr><th scope=\"row\">" + xml_escaped(row.name) + "</th>";
    for (const double value : row.y)
      table += std::isfinite(value)
                   ? fmt::format("<td style=\"--heat:{:.3f}\">{}</td>", heat(value), short_number(value))
                   : "<td class=\"none\">–</td>";
    table += "</tr>\n";
  }
  return table + "</tbody></table></div>\n";
}

}  // namespace

std::string figure_html(const Chart& chart) {
  const std::string caption = fmt::format("<figcaption>{}</figcaption>\n", xml_escaped(chart.summary));
  if (chart.kind == ChartKind::matrix) return "<figure>\n" + matrix_table(chart) + caption + "</figure>\n";
  std::string html =
      fmt::format("<figure>\n<div class=\"chart\" data-chart=\"{}\" role=\"img\" aria-label=\"{}\"></div>\n",
                  chart.id, xml_escaped(chart.summary));
  html += caption + "</figure>\n<details><summary>The values as a table</summary><div class=\"scroll\"><table>\n";
  html += chart.kind == ChartKind::stacked_bars ? bars_table(chart) : points_table(chart);
  return html + "</tbody></table></div></details>\n";
}

}  // namespace longhaul
