// Several iterations, as a user sees them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;
using nlohmann::json;

TEST_CASE("several iterations are reported by their number and mean, and by the last one") {
  const Answer one = longhaul_program("run two_sites_smoke --json");
  const Answer three = longhaul_program("run two_sites_smoke --set job.iterations=3 --json");
  REQUIRE(one.exit_code == 0);
  REQUIRE(three.exit_code == 0);
  const json single = json::parse(one.out), several = json::parse(three.out);
  CHECK_FALSE(single.contains("iterations"));
  CHECK(several["iterations"]["count"] == 3);
  CHECK(several["tasklets"] == single["tasklets"]);
  const double alone = single["iteration_seconds"], mean = several["iterations"]["mean_seconds"];
  CHECK(mean <= alone * (1 + 1e-9));
  CHECK(mean > alone / 3);
  double parts = 0;
  for (const auto& part : several["breakdown"]) parts += part["seconds"].get<double>();
  CHECK(parts == Approx(several["iteration_seconds"].get<double>()));
}

TEST_CASE("iterations of a benchmark of the network, which nothing orders, are refused") {
  const Answer answer = longhaul_program("run collective --set job.iterations=2");
  CHECK(answer.exit_code == 2);
  CHECK_THAT(answer.error, Catch::Contains("plan.workload: 'collective' beside job.iterations: 2"));
}
