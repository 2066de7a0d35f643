#include "analysis/study_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

constexpr std::int64_t most_values = 100'000;

// Four digits are plenty for a point of a grid, and make labels that people can read; whole numbers stay whole.
std::string rounded(double exact) {
  const double value = std::strtod(fmt::format("{:.12g}", exact).c_str(), nullptr);
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::vector<std::string> range_texts(const Config& config) {
  constexpr double most = 1e15;
  const Config from = config.at("from");
  const double first = from.number(-most, most);
  const double last = config.at("to").number(-most, most);
  const auto count = config.at("count").integer(2, most_values);
  const bool logarithmic = config.at("spacing").choice({"linear", "logarithmic"}) == "logarithmic";
  if (first == last) throw from.error("the range is one value", "", "from and to that differ");
  if (logarithmic && (first <= 0 || last <= 0))
    throw from.error("a logarithmic range of numbers that are not positive", "", "numbers above 0");
  const auto unit = config.find("unit");
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    const double value = logarithmic ? first * std::pow(last / first, share) : first + (last - first) * share;
    texts.push_back(rounded(value) + (unit ? " " + unit->text() : ""));
  }
  return texts;
}

AxisValue labelled_value(const Config& item) {
  const Config set = item.at("set");
  AxisValue value{item.at("label").text(), {}};
  if (!set.is_nothing()) value.overrides = read_overrides(set);
  return value;
}

std::vector<AxisValue> read_values(const Config& config) {
  const auto key = config.find("key");
  const auto values = config.find("values");
  const auto range = config.find("range");
  if (values.has_value() == range.has_value())
    throw config.error(values ? "values beside a range" : "no values", "", "one of values: […] and range: {…}");
  if (key) check_override_key(key->text(), *key);
  std::vector<AxisValue> result;
  if (range) {
    if (!key) throw range->error("a range of no key", "nothing would change", "key: KEY beside it");
    for (const std::string& text : range_texts(*range))
      result.push_back({text, {{key->text(), Config::of_text(text, range->where())}}});
    return result;
  }
  for (const Config& item : values->items()) {
    if (item.is_map()) {
      result.push_back(labelled_value(item));
    } else if (key) {
      result.push_back({item.text(), {{key->text(), item}}});
    } else {
      throw item.error("a value of no key", "nothing would change", "{label: TEXT, set: {KEY: VALUE}}, or key: KEY");
    }
  }
  if (result.empty()) throw values->error("no values", "", "at least one");
  return result;
}

void read_only(const Config& only, const std::vector<StudyAxis>& earlier, StudyAxis& axis) {
  const auto entries = only.entries();
  std::vector<std::string> names;
  for (const StudyAxis& other : earlier) names.push_back(other.name);
  const auto found = entries.size() == 1 ? std::find(names.begin(), names.end(), entries.front().first) : names.end();
  if (found == names.end())
    throw only.error("'only' names no earlier axis", "",
                     fmt::format("{{AXIS: [LABEL, …]}} with one of: {}", fmt::join(names, ", ")));
  axis.only_on = static_cast<std::size_t>(found - names.begin());
  for (const Config& label : entries.front().second.items())
    axis.only_values.push_back(value_labelled(earlier[*axis.only_on], label));
}

// "100 ms" -> 100 and "ms"; nothing if it does not begin with a number.
std::optional<std::pair<double, std::string>> number_and_unit(const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::string number = text.substr(0, space);
  if (!is_plain_number(number)) return std::nullopt;
  return std::pair(std::strtod(number.c_str(), nullptr), space == std::string::npos ? "" : text.substr(space + 1));
}

}  // namespace

std::vector<double> StudyAxis::numbers() const {
  std::vector<double> numbers;
  std::string unit;
  for (const AxisValue& value : values) {
    const auto parsed = number_and_unit(value.label);
    if (!parsed || (!numbers.empty() && parsed->second != unit)) return {};
    numbers.push_back(parsed->first);
    unit = parsed->second;
  }
  return numbers;
}

std::string StudyAxis::unit() const { return numbers().empty() ? "" : number_and_unit(values.front().label)->second; }

StudyAxis read_axis(const Config& config, const std::vector<StudyAxis>& earlier) {
  StudyAxis axis;
  const Config name = config.at("name");
  axis.name = name.text();
  const auto same_name = [&axis](const StudyAxis& other) { return other.name == axis.name; };
  if (std::any_of(earlier.begin(), earlier.end(), same_name))
    throw name.error(fmt::format("axis '{}' appears twice", axis.name), "", "names that differ");
  if (axis.name.find_first_of(",\"\n") != std::string::npos || axis.name == "point" || axis.name == "error")
    throw name.error(fmt::format("'{}' cannot name an axis", axis.name), "it becomes a column of the results",
                     "text without commas and quotes, other than point and error");
  axis.values = read_values(config);
  std::set<std::string> labels;
  for (const AxisValue& value : axis.values)
    if (!labels.insert(value.label).second)
      throw config.error(fmt::format("axis '{}' has the value '{}' twice", axis.name, value.label), "",
                         "values that differ");
  if (const auto planning = config.find("plan"))
    axis.planning = planning->choice({"anew", "held"}) == "held" ? Planning::held : Planning::anew;
  if (const auto samples = config.find("samples")) axis.samples = samples->flag();
  if (const auto only = config.find("only")) read_only(*only, earlier, axis);
  return axis;
}

std::size_t value_labelled(const StudyAxis& axis, const Config& label) {
  std::vector<std::string> labels;
  for (const AxisValue& value : axis.values) labels.push_back(value.label);
  const std::string chosen = label.choice(labels);
  return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), chosen) - labels.begin());
}

}  // namespace longhaul
