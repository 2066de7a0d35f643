#include "analysis/scatter_svg.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/regression_report.hpp"
#include "sim/base/xml_text.hpp"
#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

// In pixels; the plot is a square, so that the diagonal rises at 45 degrees.
constexpr double left = 90;
constexpr double top = 50;
constexpr double side = 460;
constexpr double legend_row = 20;
constexpr int marks = 4;

// Okabe and Ito's palette, which colour-blind readers can tell apart.
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

// Both axes: decimal logarithms from low to high.
struct Axis {
  double low = 0;
  double high = 1;
  double x(double value) const { return left + side * share(value); }
  double y(double value) const { return top + side * (1 - share(value)); }
  double share(double value) const { return (std::log10(value) - low) / (high - low); }
};

bool drawable(const CaseResult& result) { return result.simulated > 0; }

Axis axis_of(const Regression& regression) {
  double least = 1e300;
  double most = 0;
  for (const SuiteResult& suite : regression.suites)
    for (const CaseResult& result : suite.cases) {
      if (!drawable(result)) continue;
      least = std::min({least, result.recorded, result.simulated});
      most = std::max({most, result.recorded, result.simulated});
    }
  if (most == 0) return {};
  return {std::log10(least / 1.25), std::log10(most * 1.25)};
}

// 1, 2, 5 times powers of ten; only the powers, or some of them, where that would be too many.
std::vector<double> ticks_of(const Axis& axis) {
  std::vector<double> ticks;
  const double decades = axis.high - axis.low;
  const int step = std::max(1, static_cast<int>(decades / 8));
  for (int power = static_cast<int>(std::floor(axis.low)); power <= axis.high; power += step)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = std::stod(fmt::format("{:.0f}e{}", factor, power));
      const bool wanted = factor == 1 || decades <= 3;
      if (wanted && std::log10(tick) >= axis.low && std::log10(tick) <= axis.high) ticks.push_back(tick);
    }
  return ticks;
}

std::string grid(const Axis& axis) {
  std::string svg;
  for (const double tick : ticks_of(axis)) {
    const double x = axis.x(tick);
    const double y = axis.y(tick);
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}M{:.1f} {:.1f}H{:.1f}\" stroke=\"#dddddd\"/>\n", x, top,
                       top + side, left, y, left + side);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, top + side + 20,
                       shortest(tick));
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8, y + 5,
                       shortest(tick));
  }
  return svg;
}

// simulated = factor x recorded, from edge to edge of the square.
std::string ratio_line(const Axis& axis, double factor, const std::string& style) {
  const double shift = std::log10(factor) / (axis.high - axis.low);
  const double from = std::max(0.0, -shift);
  const double to = std::min(1.0, 1 - shift);
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" {}/>\n", left + side * from,
                     top + side * (1 - from - shift), left + side * to, top + side * (1 - to - shift), style);
}

std::string mark(std::size_t suite, double x, double y, const std::string& title) {
  const char* const colour = colours[suite % std::size(colours)];
  std::string shape;
  switch (suite % marks) {
    case 0:
      shape = fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"", x, y);
      break;
    case 1:
      shape = fmt::format("<path d=\"M{:.1f} {:.1f}h8v8h-8z\"", x - 4, y - 4);
      break;
    case 2:
      shape = fmt::format("<path d=\"M{:.1f} {:.1f}l5 9h-10z\"", x, y - 6);
      break;
    default:
      shape = fmt::format("<path d=\"M{:.1f} {:.1f}l5.5 5.5l-5.5 5.5l-5.5 -5.5z\"", x, y - 5.5);
  }
  const std::string style = fmt::format("fill=\"{0}\" fill-opacity=\"0.6\" stroke=\"{0}\"", colour);
  if (title.empty()) return fmt::format("{} {}/>\n", shape, style);
  return fmt::format("{} {}><title>{}</title></{}>\n", shape, style, xml_escaped(title),
                     suite % marks == 0 ? "circle" : "path");
}

std::string points(const Regression& regression, const Axis& axis) {
  std::string svg;
  for (std::size_t i = 0; i < regression.suites.size(); ++i) {
    const SuiteResult& suite = regression.suites[i];
    for (const CaseResult& result : suite.cases)
      if (drawable(result))
        svg += mark(i, axis.x(result.recorded), axis.y(result.simulated),
                    fmt::format("{}: {}: recorded {}, simulated {} {}, {}", suite.suite.name, result.label,
                                five_digits(result.recorded), five_digits(result.simulated), suite.suite.unit,
                                signed_percent(result.error())));
  }
  return svg;
}

std::string legend(const Regression& regression) {
  std::string svg;
  double y = top + side + 75;
  for (std::size_t i = 0; i < regression.suites.size(); ++i, y += legend_row) {
    const SuiteResult& result = regression.suites[i];
    svg += mark(i, left + 6, y - 5, "");
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{} ({}, {} cases, mean |error| {:.1f} %)</text>\n", left + 20,
                       y, xml_escaped(result.suite.name), name_of(result.suite.group), result.summary.cases,
                       100 * result.summary.mean_absolute_error);
  }
  return svg;
}

std::string units_of(const Regression& regression) {
  std::vector<std::string> units;
  for (const SuiteResult& suite : regression.suites)
    if (std::find(units.begin(), units.end(), suite.suite.unit) == units.end()) units.push_back(suite.suite.unit);
  return xml_escaped(fmt::format("{}", fmt::join(units, " or ")));
}

std::string description_of(const Regression& regression) {
  std::string text = "Scatter plot on logarithmic axes; points on the diagonal are exact.";
  std::size_t left_out = 0;
  for (const SuiteResult& suite : regression.suites) {
    const ErrorSummary& summary = suite.summary;
    text += fmt::format(" {}: {} cases, mean absolute error {:.1f} %, worst {}.", suite.suite.name, summary.cases,
                        100 * summary.mean_absolute_error, signed_percent(summary.worst));
    left_out += static_cast<std::size_t>(
        std::count_if(suite.cases.begin(), suite.cases.end(), [](const auto& result) { return !drawable(result); }));
  }
  if (left_out > 0) text += fmt::format(" {} values that are not positive are not drawn.", left_out);
  return xml_escaped(text);
}

}  // namespace

std::string scatter_svg(const Regression& regression) {
  const Axis axis = axis_of(regression);
  const double height = top + side + 75 + legend_row * static_cast<double>(regression.suites.size());
  const double middle = left + side / 2;
  const std::string units = units_of(regression);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title description\" "
      "width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, sans-serif\" "
      "font-size=\"14\">\n",
      left + side + 40, height);
  svg += "<title id=\"title\">Simulated against recorded values</title>\n";
  svg += fmt::format("<desc id=\"description\">{}</desc>\n", description_of(regression));
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"30\" text-anchor=\"middle\" font-size=\"17\">Simulated against recorded "
      "values</text>\n",
      middle);
  svg += grid(axis);
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333333\"/>\n", left,
                     top, side, side);
  svg += ratio_line(axis, 1, "stroke=\"#333333\"");
  svg += ratio_line(axis, 1.1, "stroke=\"#777777\" stroke-dasharray=\"5 4\"");
  svg += ratio_line(axis, 0.9, "stroke=\"#777777\" stroke-dasharray=\"5 4\"");
  svg += points(regression, axis);
  svg += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">recorded ({}); dashed: +10 % and -10 "
      "%</text>\n",
      middle, top + side + 46, units);
  svg += fmt::format(
      "<text transform=\"translate(24 {:.1f}) rotate(-90)\" text-anchor=\"middle\">simulated "
      "({})</text>\n",
      top + side / 2, units);
  svg += legend(regression);
  return svg + "</svg>\n";
}

}  // namespace longhaul
