#include <nlohmann/json.hpp>

#include "analysis/regression_report.hpp"

namespace longhaul {
namespace {

using Json = nlohmann::ordered_json;

Json object_of(const ErrorSummary& summary) {
  return {
      {"cases", summary.cases}, {"passed", summary.passed}, {"mean_absolute_error", summary.mean_absolute_error},
      {"bias", summary.bias},   {"worst", summary.worst},   {"within_10_percent", summary.within_ten_percent},
  };
}

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json object_of(const std::string& over, const std::vector<LineError>& lines) {
  Json array = Json::array();
  for (const LineError& line : lines)
    array.push_back({
        {"line", line.line},
        {"cases", line.points},
        {"recorded_slope", line.recorded.slope},
        {"simulated_slope", line.simulated.slope},
        {"slope_error", optional_number(line.slope_error)},
        {"recorded_intercept", line.recorded.intercept},
        {"simulated_intercept", line.simulated.intercept},
        {"intercept_error", optional_number(line.intercept_error)},
    });
  const MeanLineError mean = mean_line_error(lines);
  return {
      {"over", over},
      {"mean_absolute_slope_error", optional_number(mean.slope)},
      {"mean_absolute_intercept_error", optional_number(mean.intercept)},
      {"lines", array},
  };
}

Json object_of(const SuiteResult& result) {
  const Suite& suite = result.suite;
  Json cases = Json::array();
  for (const CaseResult& one : result.cases)
    cases.push_back({
        {"case", one.label},
        {"recorded", one.recorded},
        {"simulated", one.simulated},
        {"error", one.error()},
        {"tolerance", one.tolerance},
        {"passed", one.passed()},
    });
  Json json{
      {"suite", suite.name},
      {"group", name_of(suite.group)},
      {"metric", suite.metric},
      {"unit", suite.unit},
      {"compare", suite.compare == Compare::at_most ? "at_most" : "equal"},
      {"source", suite.source},
      {"tolerance_reason", suite.tolerance_reason},
      {"summary", object_of(result.summary)},
  };
  if (!suite.slope_over.empty()) json["slopes"] = object_of(suite.slope_over, result.lines);
  json["cases"] = cases;
  return json;
}

Json object_of(const RankingResult& ranking) {
  Json wrong = Json::array();
  for (const auto& [a, b] : ranking.wrong) wrong.push_back({a, b});
  return {{"group", ranking.group}, {"pairs", ranking.pairs}, {"right", ranking.right}, {"wrong", wrong}};
}

Json object_of(const BaselineChange& change) {
  return {{"suite", change.suite}, {"case", change.label}, {"old", change.before}, {"new", change.after}};
}

}  // namespace

std::string json_of(const Regression& regression, const std::optional<std::vector<BaselineChange>>& changes) {
  Json json{
      {"passed", regression.passed()},
      {"groups", Json::array()},
      {"rankings", Json::array()},
      {"suites", Json::array()},
  };
  for (const GroupResult& group : regression.groups)
    json["groups"].push_back({{"group", name_of(group.group)}, {"summary", object_of(group.summary)}});
  for (const RankingResult& ranking : regression.rankings) json["rankings"].push_back(object_of(ranking));
  for (const SuiteResult& suite : regression.suites) json["suites"].push_back(object_of(suite));
  if (changes) {
    json["changes"] = Json::array();
    for (const BaselineChange& change : *changes) json["changes"].push_back(object_of(change));
  }
  return json.dump(2) + "\n";
}

}  // namespace longhaul
