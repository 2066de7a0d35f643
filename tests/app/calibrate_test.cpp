// `longhaul calibrate` as a user runs it.
#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/suites.hpp"

using namespace longhaul;
using nlohmann::json;

namespace {

const char* const fixed = "job.micro_batch: 8, job.activation_bytes: 20 MB, plan.pipeline: 4, plan.data: 1";

// What a machine with these values would have recorded: a pipeline of four, in which messages matter.
std::string recorded_with(const std::string& values) {
  std::string rows;
  for (const int micro_batches : {1, 4, 16})
    for (const char* schedule : {"gpipe", "1f1b"}) {
      const Answer answer =
          longhaul_program(fmt::format("run two_sites_smoke --json --set job.micro_batch=8 --set "
                                       "'job.activation_bytes=20 MB' --set plan.pipeline=4 "
                                       "--set plan.data=1 {} --set job.micro_batches={} --set plan.schedule={}",
                                       values, micro_batches, schedule));
      rows += fmt::format("  - [{}, {}, {}]\n", micro_batches, schedule,
                          json::parse(answer.out)["iteration_seconds"].get<double>());
    }
  return rows;
}

std::string calibration_suite(const std::string& name, const std::string& fit, const std::string& rows) {
  return suite_text(name, "calibrate",
                    fmt::format("set: {{{}}}\nfit: {{{}}}\ncolumns: [job.micro_batches, plan.schedule, "
                                "recorded]\ncases:\n{}",
                                fixed, fit, rows));
}

const char* const both = "network.efficiency: [0.5, 1], network.message_cost: [0 ms, 40 ms]";

}  // namespace

TEST_CASE("calibrate recovers the parameters that the recorded values were made with") {
  const Scratch scratch;
  const std::string file = scratch.write(
      "s.yaml",
      calibration_suite("s", both, recorded_with("--set network.efficiency=0.8 --set 'network.message_cost=5 ms'")));
  const Answer answer = longhaul_program("calibrate --json " + file);
  INFO(answer.out << answer.error);
  REQUIRE(answer.exit_code == 0);
  const json result = json::parse(answer.out);
  const json& efficiency = result["parameters"][0];
  const json& cost = result["parameters"][1];
  CHECK(efficiency["key"] == "network.efficiency");
  CHECK(efficiency["start"] == 1);
  CHECK(efficiency["fitted"].get<double>() == Approx(0.8).epsilon(0.02));
  CHECK(cost["start"] == 0);
  CHECK(cost["unit"] == "ms");
  CHECK(cost["fitted"].get<double>() == Approx(5).epsilon(0.02));
  CHECK(result["before"].get<double>() > 0.1);
  CHECK(result["after"].get<double>() < 0.001);
  CHECK(result["suites"][0]["after"] == result["after"]);
  CHECK(efficiency["up"]["value"].get<double>() == Approx(1.1 * efficiency["fitted"].get<double>()));
  CHECK(efficiency["up"]["error"] > result["after"]);
  CHECK(efficiency["down"]["error"] > result["after"]);
  CHECK(result["evaluations"] <= 60);

  const Answer words = longhaul_program("calibrate " + file);
  CHECK_THAT(words.out, Catch::Contains("network:\n  efficiency: 0.8\n  message_cost: 5 ms\n"));
  CHECK(longhaul_program("calibrate --json --jobs 1 " + file).out == answer.out);
  CHECK(longhaul_program("calibrate --json --jobs 2 " + file).out == answer.out);
}

TEST_CASE("option --fit chooses among the parameters, the others stay, and a fit at its bound says so") {
  const Scratch scratch;
  const std::string file = scratch.write(
      "s.yaml",
      calibration_suite("s", both, recorded_with("--set network.efficiency=0.8 --set 'network.message_cost=5 ms'")));
  const json result =
      json::parse(longhaul_program("calibrate --json --fit network.efficiency --evaluations 20 " + file).out);
  REQUIRE(result["parameters"].size() == 1);
  CHECK(result["parameters"][0]["fitted"].get<double>() == Approx(0.8).epsilon(0.05));
  CHECK(result["evaluations"] <= 20);
  const Answer bound = longhaul_program(
      "calibrate " + scratch.write("b.yaml", calibration_suite("b", "network.efficiency: [0.9, 1]",
                                                               recorded_with("--set network.efficiency=0.8"))));
  CHECK_THAT(bound.out, Catch::Contains("at its bound") && Catch::Contains("efficiency: 0.9\n"));
}

TEST_CASE("a key that the scenario lacks starts in the middle of its bounds") {
  const Scratch scratch;
  const std::string file =
      scratch.write("s.yaml", calibration_suite("s", "network.tcp_window: [1 MB, 3 MB]", recorded_with("")));
  const json result = json::parse(longhaul_program("calibrate --json --evaluations 1 " + file).out);
  CHECK(result["parameters"][0]["start"] == 2);
  CHECK(result["parameters"][0]["fitted"] == 2);
  CHECK(result["before"] == 0);
}

TEST_CASE("calibrate refuses what must not be fitted") {
  const Scratch scratch;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Answer answer = longhaul_program("calibrate " + arguments);
    INFO(arguments << "\n" << answer.error);
    CHECK(answer.exit_code == 2);
    CHECK(answer.out.empty());
    CHECK_THAT(answer.error, Catch::Contains(message) && Catch::Contains("; accepted: "));
  };
  const std::string row = "columns: [recorded]\ncases: [[1]]\n";
  const std::string efficiency = "fit: {network.efficiency: [0.5, 1]}\n";
  const std::string good = scratch.write("good.yaml", suite_text("good", "calibrate", efficiency + row));
  for (const char* group : {"predict", "baseline"}) {
    const std::string file = scratch.write("s.yaml", suite_text("s", group, row));
    refused(file, std::string("suite 's' is of group ") + group);
    refused(good + " " + file, "nothing is ever fitted on it");
  }
  refused(scratch.write("s.yaml", suite_text("s", "calibrate", row)), "no suite names parameters to fit");
  refused(good + " --fit network.message_cost", "no suite gives bounds for this key");
  refused(good + " " +
              scratch.write("s.yaml", suite_text("s", "calibrate", "fit: {network.efficiency: [0.4, 1]}\n" + row)),
          "other bounds for network.efficiency");
  refused(
      good + " " + scratch.write("s.yaml", suite_text("s", "calibrate", "set: {network.efficiency: 0.7}\n" + row)),
      "network.efficiency is set here and to be fitted");
  refused(scratch.write("s.yaml", suite_text("s", "calibrate", "fit: {network.efficency: [0.5, 1]}\n" + row)),
          "unknown key 'efficency' in network");
  refused(good + " --evaluations 0", "--evaluations");
}
