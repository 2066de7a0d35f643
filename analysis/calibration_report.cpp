#include "analysis/calibration_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/regression_report.hpp"
#include "sim/results/text_table.hpp"

namespace longhaul {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string short_text(const Parameter& parameter, double value) {
  return five_digits(value) + (parameter.unit.empty() ? "" : " " + parameter.unit);
}

std::string error_table(const Calibration& calibration) {
  std::vector<std::vector<std::string>> rows;
  for (const SuiteFit& fit : calibration.suites)
    rows.push_back({fit.suite, std::to_string(fit.cases), percent(fit.before), percent(fit.after)});
  std::size_t cases = 0;
  for (const SuiteFit& fit : calibration.suites) cases += fit.cases;
  rows.push_back({"all", std::to_string(cases), percent(calibration.before), percent(calibration.after)});
  return text_table({"mean |error| of suite", "cases", "before", "after"},
                    {Align::left, Align::right, Align::right, Align::right}, rows);
}

std::string parameter_table(const Calibration& calibration) {
  std::vector<std::vector<std::string>> rows;
  for (const FittedParameter& one : calibration.parameters) {
    const Parameter& parameter = one.parameter;
    rows.push_back({parameter.key, short_text(parameter, one.start), short_text(parameter, one.fitted),
                    fmt::format("[{}, {}]", text_of(parameter, parameter.low), text_of(parameter, parameter.high)),
                    fmt::format("{} at {}", percent(one.up.error), short_text(parameter, one.up.value)),
                    fmt::format("{} at {}", percent(one.down.error), short_text(parameter, one.down.value)),
                    one.at_bound() ? "at its bound" : ""});
  }
  return text_table({"parameter", "start", "fitted", "bounds", "error if +10 %", "error if -10 %", ""},
                    {Align::left, Align::right, Align::right, Align::left, Align::left, Align::left, Align::left},
                    rows);
}

// Keys with a common beginning share its map: `network:` and lines below it.
std::string snippet(const Calibration& calibration) {
  std::string text;
  std::vector<std::string> open;  // maps that the last line stands in
  for (const FittedParameter& one : calibration.parameters) {
    std::vector<std::string> path;
    const std::string& key = one.parameter.key;
    for (std::size_t from = 0; from <= key.size();) {
      const std::size_t dot = std::min(key.find('.', from), key.size());
      path.push_back(key.substr(from, dot - from));
      from = dot + 1;
    }
    std::size_t common = 0;
    while (common + 1 < path.size() && common < open.size() && path[common] == open[common]) ++common;
    open.resize(common);
    for (; common + 1 < path.size(); ++common) {
      text += std::string(2 * common, ' ') + path[common] + ":\n";
      open.push_back(path[common]);
    }
    text += fmt::format("{}{}: {}\n", std::string(2 * common, ' '), path.back(), text_of(one.parameter, one.fitted));
  }
  return text;
}

}  // namespace

std::string report_of(const Calibration& calibration) {
  return fmt::format("{}\n{}\n{} evaluations of all cases\n\n{}", error_table(calibration),
                     parameter_table(calibration), calibration.evaluations, snippet(calibration));
}

std::string json_of(const Calibration& calibration) {
  Json json{{"before", calibration.before},
            {"after", calibration.after},
            {"evaluations", calibration.evaluations},
            {"suites", Json::array()},
            {"parameters", Json::array()}};
  for (const SuiteFit& fit : calibration.suites)
    json["suites"].push_back(
        {{"suite", fit.suite}, {"cases", fit.cases}, {"before", fit.before}, {"after", fit.after}});
  for (const FittedParameter& one : calibration.parameters)
    json["parameters"].push_back({
        {"key", one.parameter.key},
        {"unit", one.parameter.unit},
        {"low", one.parameter.low},
        {"high", one.parameter.high},
        {"start", one.start},
        {"fitted", one.fitted},
        {"at_bound", one.at_bound()},
        {"up", {{"value", one.up.value}, {"error", one.up.error}}},
        {"down", {{"value", one.down.value}, {"error", one.down.error}}},
    });
  return json.dump(2) + "\n";
}

}  // namespace longhaul
