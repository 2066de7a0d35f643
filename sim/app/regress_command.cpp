#include "analysis/baseline.hpp"
#include "analysis/chart_gnuplot.hpp"
#include "analysis/regression.hpp"
#include "analysis/regression_chart.hpp"
#include "analysis/regression_report.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/output.hpp"
#include "sim/app/suite_runs.hpp"
#include "sim/base/file.hpp"

namespace longhaul {
namespace {

constexpr int case_failed = 1;

// Without --record, or before it is known that there is anything to record: a mistake that costs no waiting.
void check_recordable(const std::vector<Suite>& suites) {
  for (const Suite& suite : suites)
    if (suite.group == SuiteGroup::baseline) return;
  baseline_changes({});  // says that there is none
}

// What was recorded anew fails no more.
bool passed(const Regression& regression, bool recorded) {
  for (const GroupResult& group : regression.groups)
    if (group.summary.passed < group.summary.cases && !(recorded && group.group == SuiteGroup::baseline))
      return false;
  return true;
}

}  // namespace

int regress_command(const SuiteOptions& options) {
  const std::vector<Suite> suites = read_suites(options.suites);
  if (options.record) check_recordable(suites);
  if (options.svg) check_gnuplot();
  Regression regression;
  {
    ProgressBar bar;
    regression = regress(suites, case_runner(options.jobs, bar, "regression"));
  }
  std::optional<std::vector<BaselineChange>> changes;
  if (options.record) changes = baseline_changes(regression);
  if (options.svg) write_text_file(*options.svg, svg_of(regression_chart(regression)));
  if (options.json)
    print_text(json_of(regression, changes));
  else
    print_text(report_of(regression) + (changes ? report_of(*changes) : ""));
  if (changes) write_baselines(*changes);
  return passed(regression, options.record) ? 0 : case_failed;
}

}  // namespace longhaul
