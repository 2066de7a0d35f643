#include "analysis/regression.hpp"

#include <algorithm>

namespace longhaul {
namespace {

SuiteResult result_of(const Suite& suite, const double* simulated) {
  SuiteResult result;
  result.suite = suite;
  std::vector<LinePoint> points;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const SuiteCase& one = suite.cases[i];
    result.cases.push_back({one.label, one.recorded, simulated[i], one.tolerance, suite.compare});
    if (!suite.slope_over.empty()) points.push_back({one.line, one.position, one.recorded, simulated[i]});
  }
  result.summary = summary_of(result.cases);
  result.lines = line_errors(points);
  return result;
}

std::vector<GroupResult> groups_of(const std::vector<SuiteResult>& suites) {
  std::vector<GroupResult> groups;
  for (const SuiteGroup group : {SuiteGroup::calibrate, SuiteGroup::predict, SuiteGroup::baseline}) {
    std::vector<CaseResult> cases;
    for (const SuiteResult& result : suites)
      if (result.suite.group == group) cases.insert(cases.end(), result.cases.begin(), result.cases.end());
    if (!cases.empty()) groups.push_back({group, summary_of(cases)});
  }
  return groups;
}

// Suites of one ranking group may write their values in different units: the scale takes both back to the metric's.
std::vector<RankedCase> ranked_cases(const std::vector<SuiteResult>& suites) {
  std::vector<RankedCase> ranked;
  for (const SuiteResult& result : suites) {
    const Suite& suite = result.suite;
    if (!suite.ranking) continue;
    for (std::size_t i = 0; i < suite.cases.size(); ++i)
      ranked.push_back({suite.ranking->group, suite.cases[i].compared_for, suite.name + ": " + suite.cases[i].label,
                        result.cases[i].recorded / suite.scale, result.cases[i].simulated / suite.scale,
                        suite.ranking->differ_by});
  }
  return ranked;
}

}  // namespace

bool Regression::passed() const {
  return std::all_of(groups.begin(), groups.end(),
                     [](const GroupResult& group) { return group.summary.passed == group.summary.cases; });
}

Regression regression_of(const std::vector<Suite>& suites, const std::vector<double>& simulated) {
  Regression regression;
  std::size_t first = 0;
  for (const Suite& suite : suites) {
    require(first + suite.cases.size() <= simulated.size(), "a value is missing for some case");
    regression.suites.push_back(result_of(suite, simulated.data() + first));
    first += suite.cases.size();
  }
  regression.groups = groups_of(regression.suites);
  regression.rankings = rankings_of(ranked_cases(regression.suites));
  return regression;
}

Regression regress(const std::vector<Suite>& suites, const CaseRunner& runner) {
  check_cases(suites, runner);
  return regression_of(suites, simulated_values(trials_of(suites), runner));
}

}  // namespace longhaul
