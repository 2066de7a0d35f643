// `longhaul regress` as a user runs it, on suites of the smallest shipped scenario.
#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/environment.hpp"
#include "tests/support/program.hpp"
#include "tests/support/suites.hpp"

using namespace longhaul;
using nlohmann::json;

namespace {

// What `run` says is what suites are compared with here.
double seconds_of(int micro_batches) {
  const Answer answer =
      longhaul_program("run two_sites_smoke --json --set job.micro_batches=" + std::to_string(micro_batches));
  return json::parse(answer.out)["iteration_seconds"];
}

// Case a is 4 % too high, b 25 % too low, as the suite sees it.
std::string two_cases() {
  return fmt::format(
      "slope_over: job.micro_batches\n"
      "columns: [case, job.micro_batches, recorded, tolerance]\n"
      "cases:\n  - [a, 2, {}, ~]\n  - [b, 8, {}, 30 %]\n",
      seconds_of(2) / 1.04, seconds_of(8) / 0.75);
}

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("regress prints each case and the errors, and ends with 0 where all pass") {
  const Scratch scratch;
  const std::string file = scratch.write("s.yaml", suite_text("s", "predict", two_cases()));
  const Answer answer = longhaul_program("regress " + file);
  INFO(answer.out << answer.error);
  CHECK(answer.exit_code == 0);
  CHECK_THAT(answer.out, Catch::Contains("+4.0 %      ±10 %  pass") && Catch::Contains("-25.0 %      ±30 %  pass"));
  CHECK_THAT(answer.out, Catch::Contains("2     2        14.5 %  -10.5 %  -25.0 %         50 %"));
  CHECK_THAT(answer.out, Catch::Contains("all 2 cases pass\n"));
}

TEST_CASE("regress --json has the same numbers, the same bytes every time, whatever the number of jobs") {
  const Scratch scratch;
  const std::string file = scratch.write("s.yaml", suite_text("s", "predict", two_cases()));
  const Answer answer = longhaul_program("regress --json " + file);
  REQUIRE(answer.exit_code == 0);
  for (const char* jobs : {" --jobs 1", " --jobs 2", ""})
    CHECK(longhaul_program("regress --json " + file + jobs).out == answer.out);
  const json suite = json::parse(answer.out)["suites"][0];
  CHECK(suite["cases"][0]["case"] == "a");
  CHECK(suite["cases"][0]["error"].get<double>() == Approx(0.04));
  CHECK(suite["cases"][1]["tolerance"] == 0.3);
  CHECK(suite["summary"]["mean_absolute_error"].get<double>() == Approx(0.145));
  CHECK(suite["summary"]["bias"].get<double>() == Approx(-0.105));
  const double recorded_slope = (seconds_of(8) / 0.75 - seconds_of(2) / 1.04) / 6;
  CHECK(suite["slopes"]["lines"][0]["recorded_slope"].get<double>() == Approx(recorded_slope));
  CHECK(suite["slopes"]["mean_absolute_slope_error"].get<double>() ==
        Approx(1 - (seconds_of(8) - seconds_of(2)) / 6 / recorded_slope));
}

TEST_CASE("regress ends with 1 where a case fails, and at_most forgives what is smaller") {
  const Scratch scratch;
  const auto code = [&](const std::string& compare, double factor) {
    const std::string text = suite_text(
        "s", "predict", compare + fmt::format("columns: [recorded]\ncases:\n  - [{}]\n", factor * seconds_of(4)));
    return longhaul_program("regress " + scratch.write("s.yaml", text)).exit_code;
  };
  CHECK(code("", 1) == 0);
  CHECK(code("", 1.5) == 1);
  CHECK(code("", 0.5) == 1);
  CHECK(code("compare: at_most\n", 1.5) == 0);
  CHECK(code("compare: at_most\n", 0.5) == 1);
}

TEST_CASE("overrides, scenario columns, scales and paths relative to the suite") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path("maps"));
  scratch.write("maps/swapped.json", "[1, 0, 3, 2]");
  const auto cost = [](const std::string& more) {
    return json::parse(longhaul_program("plan two_sites_smoke --json " + more).out)["cost_model"]["total_seconds"]
        .get<double>();
  };
  const std::string file = scratch.write(
      "s.yaml",
      suite_text("s", "predict",
                 "metric: cost_model.total_seconds\nscale: 1000\n"
                 "set: {job.activation_bytes: 3 MB, job.micro_batches: {otherwise: 4}}\n"
                 "columns: [scenario, scheduler.name, scheduler.rank_map, plan.layers_per_stage, recorded]\n"
                 "cases:\n"
                 "  - [" LONGHAUL_SOURCE_DIR "/scenarios/two_sites_smoke.yaml, ~, ~, [1, 3], 1]\n"
                 "  - [~, rank_map, maps/swapped.json, ~, 1]\n"));
  CHECK(longhaul_program("regress " + file).exit_code == 2);  // a map is no value of a suite
  scratch.write("s.yaml", [&] {
    std::string text = contents(file);
    text.replace(text.find(", job.micro_batches: {otherwise: 4}"), 35, "");
    return text;
  }());
  const Answer answer = longhaul_program("regress --json " + file);
  INFO(answer.error);
  REQUIRE(answer.exit_code == 1);
  const json cases = json::parse(answer.out)["suites"][0]["cases"];
  CHECK(cases[0]["simulated"].get<double>() ==
        Approx(1000 * cost("--set 'job.activation_bytes=3 MB' --set plan.layers_per_stage=[1,3]")));
  CHECK(cases[1]["simulated"].get<double>() ==
        Approx(1000 * cost("--set 'job.activation_bytes=3 MB' --scheduler rank_map --rank-map " +
                           scratch.path("maps/swapped.json"))));
  CHECK(cases[1]["case"] == "name=rank_map rank_map=swapped");
}

TEST_CASE("recording rewrites the numbers of baselines and no other byte") {
  const Scratch scratch;
  const auto text = [](const std::string& four, const std::string& eight) {
    return "# ä comment, 4.0\n" + suite_text("s", "baseline",
                                             "columns: [job.micro_batches, recorded]\r\ncases:\n  - [4, " + four +
                                                 "]   # 4.0 stays\n  -   [ 8,   " + eight + ", ]\n");
  };
  const std::string file = scratch.write("s.yaml", text("4.0", "7e3"));
  const std::string predict = suite_text("p", "predict", "columns: [recorded]\ncases: [[1]]\n");
  const std::string other = scratch.write("p.yaml", predict);
  CHECK(longhaul_program("regress " + file).exit_code == 1);
  CHECK(contents(file) == text("4.0", "7e3"));

  const std::string four = fmt::format("{}", seconds_of(4));
  const std::string eight = fmt::format("{}", seconds_of(8));
  const Answer both = longhaul_program("regress --record " + file + " " + other);
  CHECK(both.exit_code == 1);  // p fails
  CHECK_THAT(both.out, Catch::Contains("record: s: micro_batches=4: 4 -> " + four + "\n") &&
                           Catch::Contains("record: s: micro_batches=8: 7000 -> " + eight + "\n"));
  CHECK(contents(file) == text(four, eight));
  CHECK(contents(other) == predict);

  const Answer again = longhaul_program("regress --record --json " + file);
  CHECK(again.exit_code == 0);
  CHECK(json::parse(again.out)["changes"].empty());
  CHECK(longhaul_program("regress " + file).exit_code == 0);
  const Answer refused = longhaul_program("regress --record " + other);
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.error, Catch::Contains("none of the suites is a baseline"));
}

TEST_CASE("recording writes nothing where one number cannot be replaced") {
  const Scratch scratch;
  const std::string plain = suite_text("a", "baseline", "columns: [recorded]\ncases: [[1]]\n");
  const std::string quoted = suite_text("b", "baseline", "columns: [recorded]\ncases: [['1']]\n");
  const std::string shared =
      suite_text("c", "baseline", "columns: [job.micro_batches, recorded]\ncases: [[1, &x 1], [2, *x]]\n");
  const std::string first = scratch.write("a.yaml", plain);
  for (const std::string& text : {quoted, shared}) {
    const std::string second = scratch.write("b.yaml", text);
    CHECK(longhaul_program("regress --record " + first + " " + second).exit_code == 2);
    CHECK(contents(first) == plain);
    CHECK(contents(second) == text);
  }
}

TEST_CASE("rankings reach across suites") {
  const Scratch scratch;
  const auto suite = [&](const std::string& name, const std::string& by, const std::string& cases) {
    return " " + scratch.write(name + ".yaml",
                               suite_text(name, "predict",
                                          "ranking: {group: g, by: [" + by +
                                              "], differ_by: 5 %}\n"
                                              "columns: [job.layers, job.micro_batches, network.efficiency, "
                                              "recorded]\ncases:\n" +
                                              cases));
  };
  const Answer answer = longhaul_program(
      "regress --json" + suite("one", "job.layers, job.micro_batches", "  - [4, 4, 1, 1]\n  - [2, 4, 1, 1]\n") +
      suite("two", "job.micro_batches, job.layers", "  - [4, 4, 0.5, 2]\n  - [4, 8, 1, 9]\n"));
  INFO(answer.error);
  const json ranking = json::parse(answer.out)["rankings"];
  REQUIRE(ranking.size() == 1);
  CHECK(ranking[0]["pairs"] == 1);
}

TEST_CASE("option --svg writes the plot") {
  const Scratch scratch;
  const std::string file = scratch.write("s.yaml", suite_text("s", "predict", two_cases()));
  CHECK(longhaul_program("regress " + file + " --svg " + scratch.path("a.svg")).exit_code == 0);
  CHECK(longhaul_program("regress " + file + " --jobs 1 --svg " + scratch.path("b.svg")).exit_code == 0);
  CHECK_THAT(contents(scratch.path("a.svg")), Catch::StartsWith("<svg ") && Catch::EndsWith("</svg>\n"));
  CHECK(contents(scratch.path("a.svg")) == contents(scratch.path("b.svg")));
  CHECK(longhaul_program("regress " + file + " --svg /proc/x.svg").exit_code == 2);
  const Environment path("PATH", scratch.folder());
  const Answer answer = longhaul_program("regress " + file + " --svg " + scratch.path("c.svg"));
  CHECK(answer.exit_code == 2);
  CHECK(answer.out == "");
  CHECK_THAT(answer.error, Catch::Contains("apt-get install gnuplot-nox"));
}

TEST_CASE("suites are validated, listed and found by name") {
  const Scratch data;
  std::filesystem::create_directories(data.path("scenarios/suites"));
  for (const char* folder : {"platforms", "scenarios/models", "scenarios/networks"})
    std::filesystem::create_symlink(std::string(LONGHAUL_SOURCE_DIR "/") + folder, data.path(folder));
  std::filesystem::copy_file(LONGHAUL_SOURCE_DIR "/scenarios/two_sites_smoke.yaml",
                             data.path("scenarios/two_sites_smoke.yaml"));
  const std::string file = data.write("scenarios/suites/tiny.yaml",
                                      suite_text("tiny", "predict", "columns: [recorded]\ncases: [[4.37]]\n"));
  setenv("LONGHAUL_DATA", data.folder().c_str(), 1);
  CHECK(longhaul_program("regress tiny").exit_code == 0);
  CHECK_THAT(longhaul_program("list suites").out, Catch::Contains("tiny  a test"));
  CHECK_THAT(longhaul_program("regress small").error, Catch::Contains("there is no 'small' in scenarios/suites"));
  CHECK_THAT(longhaul_program("validate " + file).out,
             Catch::Contains("suite 'tiny' of group predict, 1 case of iteration_seconds in s"));
  unsetenv("LONGHAUL_DATA");
}
