#include "analysis/parameter.hpp"

#include <charconv>
#include <vector>

#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

// What follows the number of a quantity.
std::string unit_of(const std::string& text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::size_t start = text.find_first_not_of(' ', static_cast<std::size_t>(end - text.data()));
  return problem != std::errc() || start == std::string::npos ? "" : text.substr(start);
}

// In SI base units, whatever the dimension; it must be that of `like`.
std::optional<double> base_value(const std::string& text, const std::string& like_unit) {
  if (like_unit.empty()) {
    if (!is_plain_number(text)) return std::nullopt;
    return std::stod(text);
  }
  for (const Dimension dimension :
       {Dimension::duration, Dimension::size, Dimension::bandwidth, Dimension::speed, Dimension::work})
    if (parse_quantity("1 " + like_unit, dimension)) return parse_quantity(text, dimension);
  return std::nullopt;
}

double checked(const Parameter& parameter, const Config& bound) {
  const std::optional<double> value = value_in_unit(parameter, bound.text());
  if (!value || *value < 0)
    throw bound.error("cannot read '" + bound.text() + "' as a bound",
                      "both bounds are numbers, or quantities of one kind, and not negative",
                      "[0.5, 1], [0 ms, 40 ms]");
  return *value;
}

}  // namespace

std::optional<double> value_in_unit(const Parameter& parameter, const std::string& text) {
  const std::optional<double> value = base_value(text, parameter.unit);
  if (!value || parameter.unit.empty()) return value;
  return *value / *base_value("1 " + parameter.unit, parameter.unit);
}

std::string text_of(const Parameter& parameter, double value) {
  return shortest(value) + (parameter.unit.empty() ? "" : " " + parameter.unit);
}

Parameter read_parameter(const std::string& key, const Config& bounds) {
  const std::vector<Config> pair = bounds.items();
  if (pair.size() != 2)
    throw bounds.error("bounds are two values", "a parameter is looked for between them", "[low, high]");
  Parameter parameter;
  parameter.key = key;
  parameter.where = bounds.where();
  parameter.unit = unit_of(pair[1].text());
  parameter.low = checked(parameter, pair[0]);
  parameter.high = checked(parameter, pair[1]);
  if (!(parameter.low < parameter.high))
    throw bounds.error("the bounds are reversed or equal", "a parameter is looked for between them", "[low, high]");
  return parameter;
}

}  // namespace longhaul
