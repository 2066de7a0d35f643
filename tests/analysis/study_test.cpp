// Which points a study has, and what is made of their rows.
#include "analysis/study.hpp"

#include <cmath>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/study_json.hpp"
#include "analysis/study_results.hpp"
#include "tests/description/error_of.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

constexpr const char* example = R"(name: example
description: "an example"
scenario: two_sites_smoke
set: {job.layers: 8}
axes:
  - name: placement
    values:
      - {label: fixed, set: {scheduler.name: identity}}
      - {label: "drawn, at random", set: {scheduler.name: random}}
  - name: delay
    plan: held
    key: links.all.delay
    values: [0 ms, 20 ms]
  - name: seed
    only: {placement: ["drawn, at random"]}
    samples: true
    key: scheduler.seed
    range: {from: 1, to: 3, count: 3, spacing: linear}
metrics: [iteration_seconds, pflops]
figure: {title: "Example", x: delay, y: iteration_seconds, y_label: iteration (s)}
)";

Study study_of(const std::string& text) {
  const Scratch scratch;
  return read_study(scratch.write("study.yaml", text));
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string mistake(const std::string& what, const std::string& by) {
  return error_of([&] { study_of(replaced(example, what, by)); });
}

// Point i has the value i + 1, but for those that failed.
StudyResults results_of(const Study& study, const std::vector<std::size_t>& failed = {}) {
  StudyResults results{study, {}};
  for (std::size_t i = 0; i < points_of(study).size(); ++i)
    results.rows.push_back({i, {static_cast<double>(i + 1), std::nullopt}, ""});
  for (const std::size_t i : failed) results.rows[i] = {i, {std::nullopt, std::nullopt}, "a, \"b\""};
  return results;
}

std::vector<std::string> keys_of(const std::vector<Override>& overrides) {
  std::vector<std::string> keys;
  for (const Override& one : overrides) keys.push_back(one.key + "=" + one.value.text());
  return keys;
}

}  // namespace

TEST_CASE("the last axis runs fastest, and an axis exists only where it is said to") {
  const Study study = study_of(example);
  const std::vector<StudyPoint> points = points_of(study);
  std::vector<std::string> labels;
  for (const StudyPoint& point : points)
    labels.push_back(label_at(study, point, 0).substr(0, 5) + "/" + label_at(study, point, 1) + "/" +
                     label_at(study, point, 2));
  CHECK(labels == std::vector<std::string>{"fixed/0 ms/-", "fixed/20 ms/-", "drawn/0 ms/1", "drawn/0 ms/2",
                                           "drawn/0 ms/3", "drawn/20 ms/1", "drawn/20 ms/2", "drawn/20 ms/3"});
}

TEST_CASE("the plan of a held axis is made without its overrides") {
  const Study study = study_of(example);
  const StudyPoint point = points_of(study)[6];
  using Keys = std::vector<std::string>;
  CHECK(keys_of(overrides_at(study, point, HeldAxes::taken)) ==
        Keys{"job.layers=8", "scheduler.name=random", "links.all.delay=20 ms", "scheduler.seed=2"});
  CHECK(keys_of(overrides_at(study, point, HeldAxes::left_out)) ==
        Keys{"job.layers=8", "scheduler.name=random", "scheduler.seed=2"});
  CHECK(holds_plan(study, point));
  CHECK_FALSE(holds_plan(study_of(replaced(example, "plan: held", "plan: anew")), point));
}

TEST_CASE("ranges hold both ends, evenly or by equal factors, with a unit if there is one") {
  const auto labels = [](const std::string& range) {
    const Study study = study_of(replaced(example, "values: [0 ms, 20 ms]", "range: " + range));
    std::vector<std::string> result;
    for (const AxisValue& value : study.axes[1].values) result.push_back(value.label);
    CHECK(study.axes[1].numbers().size() == result.size());
    return result;
  };
  using Labels = std::vector<std::string>;
  CHECK(labels("{from: 0, to: 300, count: 4, spacing: linear, unit: ms}") ==
        Labels{"0 ms", "100 ms", "200 ms", "300 ms"});
  CHECK(labels("{from: 0.1, to: 1000, count: 5, spacing: logarithmic}") == Labels{"0.1", "1", "10", "100", "1000"});
}

TEST_CASE("labels are numbers where all have the same unit") {
  const auto axis = [](const std::string& values) {
    return study_of(replaced(example, "[0 ms, 20 ms]", values)).axes[1];
  };
  CHECK(axis("[1 ms, 2 ms]").numbers() == std::vector<double>{1, 2});
  CHECK(axis("[1 ms, 2 ms]").unit() == "ms");
  CHECK(axis("[1 ms, 2 s]").numbers().empty());
  CHECK(axis("[1, fast]").numbers().empty());
}

TEST_CASE("mistakes in studies are named where they stand") {
  CHECK_THAT(mistake("plan: held", "plan: kept"), Contains("study.yaml:11:11"));
  CHECK_THAT(mistake("name: delay", "name: placement"), Contains("axis 'placement' appears twice"));
  CHECK_THAT(mistake("name: delay", "name: point"), Contains("'point' cannot name an axis"));
  CHECK_THAT(mistake("[0 ms, 20 ms]", "[0 ms, 0 ms]"), Contains("the value '0 ms' twice"));
  CHECK_THAT(mistake("[0 ms, 20 ms]", "[]"), Contains("no values"));
  CHECK_THAT(mistake("key: links.all.delay", "key: delays"), Contains("unknown key 'delays'"));
  CHECK_THAT(mistake("    key: links.all.delay\n", ""), Contains("a value of no key"));
  CHECK_THAT(mistake("only: {placement:", "only: {place:"), Contains("'only' names no earlier axis"));
  CHECK_THAT(mistake("[\"drawn, at random\"]", "[drawn]"), Contains("study.yaml:15:24"));
  CHECK_THAT(mistake("count: 3", "count: 1"), Contains("study.yaml:18:36"));
  CHECK_THAT(mistake("from: 1, to: 3", "from: 1, to: .nan"), Contains("study.yaml:18:"));
  CHECK_THAT(mistake("to: 3, count: 3, spacing: linear", "to: -1, count: 3, spacing: logarithmic"),
             Contains("not positive"));
  CHECK_THAT(mistake("[iteration_seconds, pflops]", "[iteration_seconds, speed]"), Contains("study.yaml:19:"));
  CHECK_THAT(mistake("[iteration_seconds, pflops]", "[pflops]"), Contains("iteration_seconds"));
  CHECK_THAT(mistake("x: delay", "x: seed"), Contains("an axis of samples"));
  CHECK_THAT(mistake("description:", "describes:"), Contains("'description'"));
  CHECK_THAT(mistake("set: {job.layers: 8}", "set: {job.layers: ~}"), Contains("no value"));
  const std::string long_axis = replaced(example, "values: [0 ms, 20 ms]",
                                         "range: {from: 0, to: 99999, count: 100000, spacing: linear, unit: s}");
  CHECK_THAT(error_of([&] { study_of(replaced(long_axis, "to: 3, count: 3", "to: 20, count: 20")); }),
             Contains("4000000 points") && Contains("at most 1000000"));
}

TEST_CASE("samples are summed up: mean, median and percentiles between order statistics") {
  const std::vector<StudySummary> summaries = summaries_of(results_of(study_of(example)));
  REQUIRE(summaries.size() == 2 * 4);
  const StudySummary& drawn = summaries[2];  // points 3, 4, 5
  CHECK(drawn.count == 3);
  CHECK(drawn.mean == Approx(4));
  CHECK(drawn.p10 == Approx(3.2));
  CHECK(drawn.p50 == Approx(4));
  CHECK(drawn.p90 == Approx(4.8));
  CHECK(summaries[0].count == 1);
  CHECK(summaries[0].p90 == Approx(1));
  CHECK(summaries[4].count == 0);  // no run has pflops here
}

TEST_CASE("points that failed are left out of summaries and named in the results") {
  const StudyResults results = results_of(study_of(example), {2, 7});
  CHECK(summaries_of(results)[2].count == 2);
  CHECK_THAT(results_csv(results), Contains("\n2,\"drawn, at random\",0 ms,1,,,\"a, \"\"b\"\"\"\n"));
  CHECK_THAT(results_table(results), Contains("8 points, 2 failed"));
  CHECK(json::parse(results_json(results))["rows"][2]["error"] == "a, \"b\"");
}

TEST_CASE("results as CSV have a line per point in study order") {
  const std::string csv = results_csv(results_of(study_of(example)));
  CHECK(csv.substr(0, csv.find('\n')) == "point,placement,delay,seed,iteration_seconds,pflops,error");
  CHECK_THAT(csv, Contains("\n1,fixed,20 ms,-,2,,\n"));
}

TEST_CASE("results as JSON hold the study, the rows and the summaries") {
  const json results = json::parse(results_json(results_of(study_of(example))));
  CHECK(results["study"]["axes"][1]["numeric"] == json({0.0, 20.0}));
  CHECK(results["study"]["axes"][2]["samples"] == true);
  CHECK(results["rows"][3] ==
        json::parse(R"({"point": 3, "axes": {"placement": "drawn, at random", "delay": "0 ms", "seed": "2"},
                        "values": {"iteration_seconds": 4.0, "pflops": null}})"));
  CHECK(results["summary"].size() == 4);
  CHECK(results["summary"][3]["axes"] == json::parse(R"({"placement": "drawn, at random", "delay": "20 ms"})"));
}

TEST_CASE("a study and its rows come back from their lines") {
  const StudyResults results = results_of(study_of(example), {1});
  const Study back = study_of_line(study_line(results.study), {});
  CHECK(study_line(back) == study_line(results.study));
  CHECK(points_of(back) == points_of(results.study));
  for (const StudyRow& row : results.rows)
    CHECK(row_line(back, row_of_line(back, row_line(results.study, row), {})) == row_line(results.study, row));
  CHECK_THAT(error_of([&] { row_of_line(back, "{\"point\": 1}", {"j", 3, 1}); }), Contains("j:3:1"));
}
