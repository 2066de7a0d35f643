// What must hold however the details come out: better links do no harm, unused ones do nothing, and a network that costs
// nothing leaves the computing.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;
using nlohmann::json;

namespace {

json run(const std::string& arguments) {
  const Answer answer = longhaul_program("run --json " + arguments);
  INFO(answer.error);
  REQUIRE(answer.exit_code == 0);
  return json::parse(answer.out);
}

double seconds(const std::string& arguments) { return run(arguments)["iteration_seconds"]; }

// The main job with a sixteenth of the micro-batches; the placement of a seed is the same whatever the links.
std::string main_job(const std::string& scheduler) {
  return "eight_cities --scheduler " + scheduler + " --set job.micro_batches=4 --set job.global_batch=64";
}

}  // namespace

TEST_CASE("more bandwidth or less delay never makes a fixed plan slower") {
  for (const char* scheduler : {"identity", "megatron", "random --seed 3"}) {
    double slowest = 1e9;
    for (const char* factor : {"0.1", "0.5", "1", "2", "5", "30", "1000"}) {
      const double now = seconds(main_job(scheduler) + " --set links.all.bandwidth_factor=" + factor);
      CHECK(now <= slowest * (1 + 1e-12));
      slowest = now;
    }
    slowest = 1e9;
    for (const char* factor : {"10", "2", "1", "0.7", "0.1", "0"}) {
      const double now = seconds(main_job(scheduler) + " --set links.all.delay_factor=" + factor);
      CHECK(now <= slowest * (1 + 1e-12));
      slowest = now;
    }
  }
}

TEST_CASE("a link that carries nothing changes nothing") {
  // Consecutive devices: each pipeline stays in its city, stages are synchronised between neighbours in the list of cities
  // through the server's chain; nothing goes from one city to itself over the wide area, nor anywhere from Tokyo to Ireland.
  const double before = seconds("two_sites_smoke --set plan.data=1 --set plan.pipeline=4");
  CHECK(seconds(
            "two_sites_smoke --set plan.data=1 --set plan.pipeline=4 --set 'links.north->south.bandwidth_factor=3'") <
        before);
  for (const char* unused : {"north->north", "south->south"})
    CHECK(seconds("two_sites_smoke --set plan.data=1 --set plan.pipeline=4 --set 'links." + std::string(unused) +
                  ".delay=1 s'") == before);
}

TEST_CASE("with ever more bandwidth and no delay the computing remains: (M + S - 1)(f + b) + update") {
  const std::string job =
      "common_job --scheduler identity --set job.compute.forward='10 ms' --set job.compute.backward='30 ms' "
      "--set job.compute.weight_update='50 ms' --set links.all.delay_factor=0";
  const std::string batches = " --set job.micro_batches=16";
  const json plan = run(job + batches)["plan"];
  const double stages = plan["pipeline"];
  const double closed_form = (16 + stages - 1) * 0.04 + 0.05;
  const double hundredfold = seconds(job + batches + " --set links.all.bandwidth_factor=100");
  const double millionfold = seconds(job + batches + " --set links.all.bandwidth_factor=1e5");
  CHECK(millionfold == Approx(closed_form).epsilon(1e-3));
  CHECK(hundredfold >= closed_form);
}
