#include "analysis/chart_axes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/gnuplot.hpp"

namespace longhaul {
namespace {

double decimal(double factor, int power) { return std::stod(fmt::format("{:.0f}e{}", factor, power)); }

// 1, 2 or 5 times a power of ten, so that `length` has at most some `most` steps.
struct Step {
  double factor;
  int power;
  double value() const { return decimal(factor, power); }
};

Step step_of(double length, int most) {
  int power = static_cast<int>(std::floor(std::log10(length / most)));
  for (;; ++power)
    for (const double factor : {1.0, 2.0, 5.0})
      if (length / decimal(factor, power) <= most) return {factor, power};
}

std::vector<double> linear_ticks(const AxisRange& range, int most) {
  const Step step = step_of(range.high - range.low, most);
  const double slack = step.value() * 1e-9;
  std::vector<double> ticks;
  for (double i = std::ceil((range.low - slack) / step.value()); i * step.value() <= range.high + slack; ++i)
    ticks.push_back(i == 0 ? 0 : std::stod(fmt::format("{:.0f}e{}", i * step.factor, step.power)));
  return ticks;
}

std::vector<double> logarithmic_ticks(const AxisRange& range, int most) {
  const double decades = std::log10(range.high / range.low);
  const auto within = [&](double value) {
    return value >= range.low * (1 - 1e-9) && value <= range.high * (1 + 1e-9);
  };
  const std::vector<double> factors = 3 * decades <= most ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
  const int step = std::max(1, static_cast<int>(std::ceil(decades / most)));
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  std::vector<double> ticks;
  for (int power = first - ((first % step) + step) % step; power <= std::ceil(std::log10(range.high)); power += step)
    for (const double factor : factors)
      if (within(decimal(factor, power))) ticks.push_back(decimal(factor, power));
  return ticks;
}

AxisRange widened(const AxisRange& range, RangeKind kind) {
  AxisRange result = range;
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const bool point = range.high - range.low <= std::max(1e-9 * largest, 1e-90);
  if (range.scale == Scale::logarithmic) {
    const double factor = point ? 2 : kind == RangeKind::tight ? 1 : std::pow(range.high / range.low, 0.04) * 1.02;
    result.low /= factor;
    result.high *= factor;
    return result;
  }
  if (kind == RangeKind::from_zero && range.low >= 0) {
    if (range.high < 1e-90) return {0, 1, range.scale};
    const double step = step_of(range.high, 6).value();
    return {0, step * std::ceil(range.high * 1.02 / step), range.scale};
  }
  const double margin = point                      ? (largest < 1e-90 ? 1 : largest / 2)
                        : kind == RangeKind::tight ? 0
                                                   : 0.05 * (range.high - range.low);
  result.low -= margin;
  result.high += margin;
  return result;
}

}  // namespace

bool has_place(double value, Scale scale) {
  constexpr double most = 1e100;  // sums and squares of more are not finite
  return std::isfinite(value) && std::abs(value) < most && (scale == Scale::linear || value > 1 / most);
}

AxisRange axis_range(const std::vector<double>& values, Scale scale, RangeKind kind) {
  std::vector<double> shown;
  std::copy_if(values.begin(), values.end(), std::back_inserter(shown),
               [&](double value) { return has_place(value, scale); });
  if (shown.empty()) return scale == Scale::linear ? AxisRange{0, 1, scale} : AxisRange{1, 10, scale};
  const auto [least, most] = std::minmax_element(shown.begin(), shown.end());
  return widened({*least, *most, scale}, kind);
}

std::vector<double> ticks_of(const AxisRange& range, int most) {
  if (range.scale == Scale::linear) return linear_ticks(range, most);
  const std::vector<double> ticks = logarithmic_ticks(range, most);
  return ticks.size() >= 3 ? ticks : linear_ticks(range, std::max(3, most / 2));
}

std::string axis_commands(const std::string& name, const std::string& label, const AxisRange& range, int most_ticks) {
  std::string commands;
  if (range.scale == Scale::logarithmic) commands += fmt::format("set logscale {} 10\n", name);
  commands += fmt::format("set {}range [{}:{}] noextend\n", name, range.low, range.high);
  commands += fmt::format("set {}tics (", name);
  std::string separator;
  for (const double tick : ticks_of(range, most_ticks)) {
    commands += fmt::format("{}{} {}", separator, quoted_tick(rounded(tick, 12)), tick);
    separator = ", ";
  }
  return commands + fmt::format(")\nset {}label {}{}\n", name, quoted(label),
                                name == "x"    ? " offset 0,0.3"
                                : name == "cb" ? " offset 1,0"
                                               : "");
}

double ticks_width(const AxisRange& range, int most_ticks) {
  double widest = 0;
  for (const double tick : ticks_of(range, most_ticks))
    widest = std::max(widest, text_width(rounded(tick, 12), font_size));
  return widest;
}

}  // namespace longhaul
