// What a regression says about values that are given.
#include "analysis/regression.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/baseline.hpp"
#include "analysis/metric.hpp"
#include "analysis/regression_chart.hpp"
#include "analysis/regression_report.hpp"
#include "tests/support/suites.hpp"

using namespace longhaul;
using nlohmann::json;

namespace {

Regression example() {
  Suite first = plain_suite("first", SuiteGroup::predict, {plain_case("a", 10), plain_case("b <&>", 20)});
  first.ranking = Ranking{"g", 0.05, {}};
  Suite second = plain_suite("second", SuiteGroup::predict, {plain_case("c", 40'000)});
  second.ranking = Ranking{"g", 0.05, {}};
  second.scale = 1000;
  second.unit = "ms";
  Suite third = plain_suite("third", SuiteGroup::baseline, {plain_case("d", 1)});
  return regression_of({first, second, third}, {10.5, 25, 36'000, 1});
}

}  // namespace

TEST_CASE("suites, groups and rankings across suites") {
  const Regression regression = example();
  CHECK_FALSE(regression.passed());
  REQUIRE(regression.suites.size() == 3);
  CHECK(regression.suites[0].summary.mean_absolute_error == Approx(0.15));
  CHECK(regression.suites[0].summary.bias == Approx(0.15));
  REQUIRE(regression.groups.size() == 2);
  CHECK(regression.groups[0].group == SuiteGroup::predict);
  CHECK(regression.groups[0].summary.cases == 3);
  CHECK(regression.groups[0].summary.passed == 2);
  CHECK(regression.groups[0].summary.mean_absolute_error == Approx(0.4 / 3));  // 5, 25, 10 %
  CHECK(regression.groups[0].summary.bias == Approx(0.2 / 3));
  CHECK(regression.groups[1].summary.worst == 0);
  REQUIRE(regression.rankings.size() == 1);
  CHECK(regression.rankings[0].pairs == 3);  // 10, 20 and 40 s, scaled back
  CHECK(regression.rankings[0].right == 3);
}

TEST_CASE("the table tells what the numbers are") {
  const std::string report = report_of(example());
  CHECK_THAT(report, Catch::Contains("first   b <&>        20         25  s     +25.0 %      ±10 %  FAIL"));
  CHECK_THAT(report, Catch::Contains("second  c         40000      36000  ms    -10.0 %      ±10 %  pass"));
  CHECK_THAT(report, Catch::Contains("all of predict       3     2        13.3 %   +6.7 %  +25.0 %         67 %"));
  CHECK_THAT(report, Catch::Contains("ranking 'g': 3 of 3 pairs in the recorded order (100.0 %)"));
  CHECK_THAT(report, Catch::EndsWith("1 of 4 cases FAIL\n"));
}

TEST_CASE("JSON of a regression holds the same numbers under the promised keys") {
  const json result = json::parse(json_of(example(), std::nullopt));
  CHECK(result["passed"] == false);
  CHECK(result["groups"][0]["group"] == "predict");
  CHECK(result["groups"][0]["summary"]["passed"] == 2);
  CHECK(result["suites"][0]["summary"]["within_10_percent"] == 0.5);
  CHECK(result["suites"][0]["cases"][1]["error"] == 0.25);
  CHECK(result["suites"][0]["cases"][1]["passed"] == false);
  CHECK(result["rankings"][0] == json({{"group", "g"}, {"pairs", 3}, {"right", 3}, {"wrong", json::array()}}));
  CHECK_FALSE(result.contains("changes"));
}

TEST_CASE("the plot has a series per suite with its cases, and words for readers without eyes") {
  const Chart chart = regression_chart(example());
  REQUIRE(chart.series.size() == 3);
  CHECK(chart.series[0].name == "first 15.0 %");
  CHECK(chart.series[0].x == std::vector<double>{10, 20});
  CHECK(chart.series[0].y == std::vector<double>{10.5, 25});
  CHECK(chart.series[0].labels[1] == "b <&>");
  CHECK(chart.x.label == "recorded (s or ms)");
  CHECK(chart.diagonal == 0.1);
  CHECK_THAT(chart.summary, Catch::Contains("first: 2 cases, mean absolute error 15.0 %, worst +25.0 %."));
}

TEST_CASE("a plot of values that are not positive says that it leaves them out") {
  const Suite suite = plain_suite("s", SuiteGroup::predict, {plain_case("a", 1)});
  CHECK_THAT(regression_chart(regression_of({suite}, {0})).summary,
             Catch::Contains("1 values that are not positive"));
}

TEST_CASE("only numbers of the JSON are metrics, and the plan's need no simulation") {
  const std::vector<std::string> names = metric_names();
  const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  CHECK(has("iteration_seconds"));
  CHECK(has("cost_model.total_seconds"));
  CHECK(has("search.best_evaluation"));
  CHECK(has("breakdown.compute.share"));
  CHECK_FALSE(has("scenario"));
  CHECK_FALSE(has("plan.phase_barrier"));
  CHECK(needs_simulation("iteration_seconds"));
  CHECK_FALSE(needs_simulation("cost_model.total_seconds"));
  RunRecord record;
  record.cost = {Seconds(1), Seconds(2)};
  CHECK(metric_value(record, "cost_model.total_seconds") == 3.0);
  CHECK_FALSE(metric_value(record, "iteration_seconds").has_value());
}

TEST_CASE("a change replaces its number and nothing else") {
  const std::string text = "# ä 12\r\ncases: # 12\r\n  - [ä, 12, 12]  # 12\n  - [b, 3.5e1, 7]";
  const auto change = [](int line, int column, double before, double after) {
    return BaselineChange{"s", "a", {"f.yaml", line, column}, before, after};
  };
  CHECK(with_changes(text, {change(3, 10, 12, 0.125), change(4, 9, 35, 36)}) ==
        "# ä 12\r\ncases: # 12\r\n  - [ä, 0.125, 12]  # 12\n  - [b, 36, 7]");
  CHECK(with_changes(text, {}) == text);
  CHECK_THROWS_WITH(with_changes(text, {change(3, 9, 12, 1)}), Catch::Contains("f.yaml:3:9: the recorded value 12"));
  CHECK_THROWS_WITH(with_changes(text, {change(9, 1, 12, 1)}), Catch::Contains("does not stand here"));
  CHECK_THROWS_WITH(with_changes(text, {change(3, 10, 12, 1), change(3, 10, 12, 2)}),
                    Catch::Contains("several cases share this recorded value"));
}

TEST_CASE("changes are the baselines' differences, and without a baseline there is nothing to record") {
  Suite suite = plain_suite("s", SuiteGroup::baseline, {plain_case("a", 1), plain_case("b", 2)});
  const std::vector<BaselineChange> changes = baseline_changes(regression_of({suite}, {1, 2.5}));
  REQUIRE(changes.size() == 1);
  CHECK(report_of(changes) == "record: s: b: 2 -> 2.5\n");
  CHECK_THROWS_WITH(baseline_changes(regression_of({suite}, {1, 0})), Catch::Contains("case 'b' gives 0"));
  suite.group = SuiteGroup::predict;
  CHECK_THROWS_WITH(baseline_changes(regression_of({suite}, {1, 2})), Catch::Contains("none of the suites"));
}
