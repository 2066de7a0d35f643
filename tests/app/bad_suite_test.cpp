// Every mistake in a suite gets one line with its place and exit code 2.
#include <catch2/catch.hpp>

#include "tests/support/program.hpp"
#include "tests/support/suites.hpp"

using namespace longhaul;

namespace {

void check(const std::string& file, const std::string& message) {
  for (const char* command : {"regress ", "validate "}) {
    const Answer answer = longhaul_program(command + file);
    INFO(command << message << "\n" << answer.out << answer.error);
    CHECK(answer.exit_code == 2);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.error, Catch::Contains(message));
    CHECK_THAT(answer.error, Catch::Contains("; accepted: "));
    CHECK(std::count(answer.error.begin(), answer.error.end(), '\n') == 1);
  }
}

}  // namespace

TEST_CASE("mistakes in suites") {
  // Lines 1 to 8 are the same in all; `rest` begins at line 9.
  const std::vector<std::pair<std::string, std::string>> suites{
      {"columns: [job.layers, recorded]\ncases:\n  - [4]\n", ":11:5: cases[0]: 1 values for 2 columns"},
      {"columns: [recorded]\ncases: [[1, 2]]\n", ":10:9: cases[0]: 2 values for 1 columns"},
      {"columns: [recorded]\ncases: [1]\n", ":10:9: cases[0]: not a list"},
      {"columns: [layers, recorded]\ncases: [[4, 1]]\n", ":9:11: columns[0]: unknown column or key 'layers'"},
      {"columns: [job.layers]\ncases: [[4]]\n", ":9:10: columns: there is no column 'recorded'"},
      {"columns: [recorded]\ncases: [[0]]\n", ":10:10: cases[0][0]: 0 is out of range"},
      {"columns: [recorded]\ncases: [[-1]]\n", ":10:10: cases[0][0]: -1 is out of range"},
      {"columns: [recorded]\ncases: [[~]]\n", ":10:9: cases[0]: no recorded value in this case"},
      {"columns: [recorded]\ncases: [[3 s]]\n", ":10:10: cases[0][0]: '3 s' is not a finite number"},
      {"columns: [recorded, recorded]\ncases: [[1, 1]]\n", ":9:21: columns[1]: column 'recorded' appears twice"},
      {"columns: [recorded]\ncases: []\n", ":10:8: cases: no cases"},
      {"cases: [[1]]\n", "key 'columns' is missing"},
      {"columns: [recorded]\ncases: [[1]]\nmetrics: pflops\n", ":11:1: unknown key 'metrics'"},
      {"columns: [recorded]\ncases: [[1]]\nmetric: flops\n", ":11:9: metric: 'flops' is not known"},
      {"columns: [recorded]\ncases: [[1]]\nmetric: scenario\n", ":11:9: metric: 'scenario' is not known"},
      {"columns: [recorded]\ncases: [[1]]\ncompare: roughly\n", ":11:10: compare: 'roughly' is not known"},
      {"columns: [recorded]\ncases: [[1]]\nscale: 0\n", ":11:8: scale: 0 is out of range"},
      {"columns: [recorded]\ncases: [[1]]\nfit: {network.efficiency: [0.5, 1]}\n",
       ":11:6: fit: parameters to fit in a suite of group predict"},
      {"columns: [recorded, tolerance]\ncases: [[1, 0.1]]\n", ":10:13: cases[0][1]: '0.1' has no unit"},
      {"columns: [recorded]\ncases: [[1]]\nset: {job.layer: 4}\n", ":11:18: unknown key 'layer' in job"},
      {"columns: [recorded]\ncases: [[1]]\nset: {job.layers: four}\n", ":11:19: job.layers: 'four' is not a whole"},
      {"columns: [recorded]\ncases: [[1]]\nset: {job.layers.x: 4}\n", ":11:21: 'job.layers' has no 'x' to set"},
      {"columns: [recorded]\ncases: [[1]]\nset: {name: x}\n", ":11:13: set.name: unknown key 'name'"},
      {"columns: [recorded]\ncases: [[1]]\nset: {job.layers: ~}\n", ":11:19: set.job.layers: no value"},
      {"columns: [job.layers, recorded]\ncases: [[4, 1]]\nset: {job.layers: 4}\n",
       ":9:11: columns[0]: 'job.layers' is a column and stands under set too"},
      {"columns: [job.layers, recorded]\ncases: [[{a: 4}, 1]]\n", ":10:10: cases[0][0]: a map where one value"},
      {"columns: [job.layers, recorded]\ncases: [[5, 1], [0, 1]]\n", ":10:18: job.layers: 0 is out of range"},
      {"columns: [scheduler.name, recorded]\ncases: [[nobody, 1]]\n", ":10:10: there is no scheduler 'nobody'"},
      {"columns: [scheduler.rank_map, recorded]\ncases: [[none.json, 1]]\n", "/none.json: cannot open the file"},
      {"columns: [plan.pipeline, recorded]\ncases: [[3, 1]]\n", "= 6 ranks (the platform has 4 devices"},
      {"columns: [scenario, recorded]\ncases: [[nowhere, 1]]\n", ":10:10: there is no 'nowhere' in scenarios"},
      {"columns: [scenario, recorded]\ncases: [[./no.yaml, 1]]\n", "/no.yaml: cannot open the file"},
      {"columns: [recorded]\ncases: [[1]]\nslope_over: job.layers\n",
       ":11:13: slope_over: 'job.layers' is not a column of overrides"},
      {"columns: [recorded]\ncases: [[1]]\nslope_over: recorded\n",
       ":11:13: slope_over: 'recorded' is not a column of overrides"},
      {"columns: [plan.schedule, recorded]\ncases: [[gpipe, 1]]\nslope_over: plan.schedule\n",
       ":10:10: cases[0][0]: 'gpipe' is not a finite number"},
      {"columns: [job.layers, recorded]\ncases: [[~, 1]]\nslope_over: job.layers\n",
       ":10:9: cases[0]: no value of 'job.layers' in this case"},
      {"columns: [recorded]\ncases: [[1]]\nranking: {group: g, by: [job.layers], differ_by: 5 %}\n",
       ":11:26: ranking.by[0]: nothing gives 'job.layers' a value in some case"},
      {"columns: [recorded]\ncases: [[1]]\nranking: {group: g, by: [], differ_by: 5}\n",
       ":11:40: ranking.differ_by: '5' has no unit"},
  };
  for (const auto& [rest, message] : suites) {
    const Scratch scratch;
    check(scratch.write("bad.yaml", suite_text("bad", "predict", rest)), message);
  }
}

TEST_CASE("mistakes in what a suite fits") {
  const std::vector<std::pair<std::string, std::string>> fits{
      {"{network.efficiency: [1, 0.5]}", ":11:27: fit.network.efficiency: the bounds are reversed or equal"},
      {"{network.efficiency: [0.5]}", ":11:27: fit.network.efficiency: bounds are two values"},
      {"{network.message_cost: [0, 40 ms]}", "fit.network.message_cost[0]: cannot read '0' as a bound"},
      {"{efficiency: [0, 1]}", ":11:19: fit.efficiency: unknown key 'efficiency'"},
      {"{}", ":11:6: fit: no parameters"},
  };
  for (const auto& [fit, message] : fits) {
    const Scratch scratch;
    check(scratch.write("bad.yaml",
                        suite_text("bad", "calibrate", "columns: [recorded]\ncases: [[1]]\nfit: " + fit + "\n")),
          message);
  }
}

TEST_CASE("keys that a suite cannot do without") {
  const std::string good = suite_text("s", "predict", "columns: [recorded]\ncases: [[4.37]]\n");
  for (const char* key : {"name", "description", "source", "group", "unit", "tolerance", "tolerance_reason"}) {
    const Scratch scratch;
    std::string text = "\n" + good;
    const std::size_t start = text.find(std::string("\n") + key + ":");
    text.erase(start, text.find('\n', start + 1) - start);
    check(scratch.write("bad.yaml", text), std::string("key '") + key + "' is missing");
  }
  const Scratch scratch;
  std::string text = good;
  text.erase(text.find("scenario:"), std::string("scenario: two_sites_smoke\n").size());
  check(scratch.write("bad.yaml", text), "no scenario");
}

TEST_CASE("mistakes on the command line of regress") {
  const Scratch scratch;
  const std::string good =
      scratch.write("good.yaml", suite_text("good", "predict", "columns: [recorded]\ncases: [[4.37]]\n"));
  const std::string twin =
      scratch.write("twin.yaml", suite_text("good", "predict", "columns: [recorded]\ncases: [[4.37]]\n"));
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"regress", "suites is required"},
      {"regress no_such_suite", "there is no 'no_such_suite' in scenarios/suites"},
      {"regress ./missing.yaml", "./missing.yaml: cannot open the file"},
      {"regress scenarios/two_sites_smoke.yaml", "key 'source' is missing"},
      {"regress " + good + " " + good, "a second suite 'good'"},
      {"regress " + good + " " + twin, "a second suite 'good'"},
      {"regress --jobs 0 " + good, "--jobs"},
      {"regress --record " + good, "none of the suites is a baseline"},
      {"calibrate", "suites is required"},
  };
  for (const auto& [arguments, message] : mistakes) {
    const Answer answer = longhaul_program(arguments);
    INFO(arguments << "\n" << answer.error);
    CHECK(answer.exit_code == 2);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.error, Catch::Contains(message) && Catch::Contains("; accepted: "));
  }
}
