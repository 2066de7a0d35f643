#include "analysis/regression_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/description/quantity.hpp"
#include "sim/results/text_table.hpp"

namespace longhaul {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string optional_percent(const std::optional<double>& share) { return share ? signed_percent(*share) : "-"; }

std::string tolerance_text(const CaseResult& result) {
  const std::string share = fmt::format("{:.4g} %", 100 * result.tolerance);
  return (result.compare == Compare::at_most ? "at most +" : "±") + share;
}

std::string case_table(const Regression& regression, SuiteGroup group) {
  Rows rows;
  for (const SuiteResult& suite : regression.suites) {
    if (suite.suite.group != group) continue;
    for (const CaseResult& result : suite.cases)
      rows.push_back({suite.suite.name, result.label, five_digits(result.recorded), five_digits(result.simulated),
                      suite.suite.unit, signed_percent(result.error()), tolerance_text(result),
                      result.passed() ? "pass" : "FAIL"});
  }
  return text_table(
      {"suite", "case", "recorded", "simulated", "unit", "error", "tolerance", "verdict"},
      {Align::left, Align::left, Align::right, Align::right, Align::left, Align::right, Align::right, Align::left},
      rows);
}

std::vector<std::string> summary_row(const std::string& name, const ErrorSummary& summary) {
  return {name,
          std::to_string(summary.cases),
          std::to_string(summary.passed),
          percent(summary.mean_absolute_error),
          signed_percent(summary.bias),
          signed_percent(summary.worst),
          fmt::format("{:.0f} %", 100 * summary.within_ten_percent)};
}

std::string summary_table(const Regression& regression) {
  Rows rows;
  for (const SuiteResult& suite : regression.suites) rows.push_back(summary_row(suite.suite.name, suite.summary));
  for (const GroupResult& group : regression.groups)
    rows.push_back(summary_row(fmt::format("all of {}", name_of(group.group)), group.summary));
  return text_table({"suite", "cases", "pass", "mean |error|", "bias", "worst", "within 10 %"},
                    {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                    rows);
}

std::string line_table(const SuiteResult& suite) {
  Rows rows;
  for (const LineError& line : suite.lines)
    rows.push_back({line.line.empty() ? "all" : line.line, std::to_string(line.points),
                    five_digits(line.recorded.slope), five_digits(line.simulated.slope),
                    optional_percent(line.slope_error), five_digits(line.recorded.intercept),
                    five_digits(line.simulated.intercept), optional_percent(line.intercept_error)});
  const MeanLineError mean = mean_line_error(suite.lines);
  rows.push_back({"mean |error|", "", "", "", mean.slope ? percent(*mean.slope) : "-", "", "",
                  mean.intercept ? percent(*mean.intercept) : "-"});
  std::vector<Align> alignment(8, Align::right);
  alignment[0] = Align::left;
  return fmt::format("\n{}: lines over {}, {}\n", suite.suite.name, suite.suite.slope_over, suite.suite.unit) +
         text_table({"line", "cases", "slope", "simulated", "error", "intercept", "simulated", "error"}, alignment,
                    rows);
}

std::string ranking_lines(const std::vector<RankingResult>& rankings) {
  std::string text;
  for (const RankingResult& ranking : rankings) {
    text += fmt::format("\nranking '{}': {} of {} pairs in the recorded order", ranking.group, ranking.right,
                        ranking.pairs);
    if (ranking.pairs > 0)
      text +=
          fmt::format(" ({:.1f} %)", 100 * static_cast<double>(ranking.right) / static_cast<double>(ranking.pairs));
    text += "\n";
    for (const auto& [a, b] : ranking.wrong) text += fmt::format("  wrong: {} | {}\n", a, b);
  }
  return text;
}

}  // namespace

std::string five_digits(double value) {
  return std::abs(value) >= 1e5 && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                          : shortest(std::stod(fmt::format("{:.4e}", value)));
}

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

std::string report_of(const Regression& regression) {
  std::string text;
  for (const GroupResult& group : regression.groups)
    text += fmt::format("{}\n{}\n", name_of(group.group), case_table(regression, group.group));
  text += summary_table(regression);
  for (const SuiteResult& suite : regression.suites)
    if (!suite.lines.empty()) text += line_table(suite);
  text += ranking_lines(regression.rankings);
  text += "\n";
  for (const SuiteResult& suite : regression.suites)
    text += fmt::format("{}: {}; recorded: {}\n", suite.suite.name, suite.suite.tolerance_reason, suite.suite.source);
  std::size_t cases = 0;
  std::size_t passed = 0;
  for (const GroupResult& group : regression.groups) {
    cases += group.summary.cases;
    passed += group.summary.passed;
  }
  text += passed == cases ? fmt::format("all {} cases pass\n", cases)
                          : fmt::format("{} of {} cases FAIL\n", cases - passed, cases);
  return text;
}

}  // namespace longhaul
