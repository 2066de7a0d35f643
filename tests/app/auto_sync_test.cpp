// gradient_sync: auto from the command line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;
using nlohmann::json;

TEST_CASE("auto says what it chose for each stage, and a saved run chooses and takes the same") {
  const Scratch scratch;
  const std::string keys =
      "ten_cities_realistic --set scheduler.name=random --set plan.gradient_sync=auto --engine fast --json";
  const Answer first = longhaul_program("run " + keys + " --out " + scratch.path("first"));
  REQUIRE(first.exit_code == 0);
  const json chosen = json::parse(first.out);
  CHECK(chosen["collectives"].size() == chosen["plan"]["pipeline"].get<std::size_t>());
  CHECK(chosen["plan"]["gradient_sync"] == "auto");
  const Answer again = longhaul_program("run " + scratch.path("first/scenario.yaml") + " --engine fast --json");
  CHECK(again.out == first.out);
}

TEST_CASE("auto with one stage takes exactly as long as the collective that it names") {
  const std::string run =
      "run data_center --set plan.pipeline=1 --set plan.data=64 --set plan.phase_barrier=false "
      "--set job.global_batch=4096 --engine fast --json --set plan.gradient_sync=";
  const json chosen = json::parse(longhaul_program(run + "auto").out);
  const json named = json::parse(longhaul_program(run + chosen["collectives"][0].get<std::string>()).out);
  CHECK(chosen["iteration_seconds"] == named["iteration_seconds"]);
  CHECK_FALSE(named.contains("collectives"));
}
