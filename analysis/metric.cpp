#include "analysis/metric.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/results/json.hpp"

namespace longhaul {
namespace {

using Json = nlohmann::ordered_json;

void add_numbers(const Json& json, const std::string& path, std::vector<std::pair<std::string, double>>& numbers) {
  if (json.is_number()) numbers.emplace_back(path, json.get<double>());
  if (!json.is_object()) return;
  const std::string before = path.empty() ? "" : path + ".";
  for (const auto& [key, value] : json.items()) add_numbers(value, before + key, numbers);
}

std::vector<std::pair<std::string, double>> numbers_of(const RunRecord& record) {
  std::vector<std::pair<std::string, double>> numbers;
  add_numbers(Json::parse(json_of(record, Timing::hidden)), "", numbers);
  if (!record.memory.empty()) numbers.emplace_back("peak_memory_bytes", peak_memory(record.memory).value);
  return numbers;
}

// With everything that only some plans have.
RunRecord planned_record() {
  RunRecord record;
  record.cost.emplace();
  record.memory.emplace_back();
  return record;
}

std::vector<std::string> names_of(const RunRecord& record) {
  std::vector<std::string> names;
  for (const auto& number : numbers_of(record)) names.push_back(number.first);
  return names;
}

}  // namespace

std::vector<std::string> metric_names() {
  RunRecord simulated = planned_record();
  simulated.metrics.emplace();
  return names_of(simulated);
}

bool needs_simulation(const std::string& metric) {
  const std::vector<std::string> planned = names_of(planned_record());
  return std::find(planned.begin(), planned.end(), metric) == planned.end();
}

std::optional<double> metric_value(const RunRecord& record, const std::string& metric) {
  for (const auto& [name, value] : numbers_of(record))
    if (name == metric) return value;
  return std::nullopt;
}

}  // namespace longhaul
