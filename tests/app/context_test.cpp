// Sequences cut among ranks, from the command line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;
using nlohmann::json;

namespace {

const std::string in_parts = "two_sites_smoke --set plan.data=1 --set plan.context=2 ";

json parsed(const Answer& answer) {
  INFO(answer.error);
  REQUIRE(answer.exit_code == 0);
  return json::parse(answer.out);
}

}  // namespace

TEST_CASE("a run in parts is written, read back and reported") {
  const Scratch scratch;
  const Answer first = longhaul_program("run " + in_parts + "--json --out " + scratch.path("out"));
  CHECK(parsed(first)["plan"]["context"] == 2);
  CHECK(longhaul_program("run " + scratch.path("out/scenario.yaml") + " --json").out == first.out);
  CHECK(longhaul_program("report " + scratch.path("out")).exit_code == 0);
  CHECK_THAT(longhaul_program("run " + in_parts).out, Catch::Contains("pipeline 2 x data 1 x context 2"));
  CHECK_THAT(longhaul_program("explain " + in_parts).out, Catch::Contains("context exchange"));
}

TEST_CASE("parts have groups, whoever places them") {
  for (const char* scheduler : {"identity", "random", "megatron", "megatron_heuristic", "longhaul"}) {
    INFO(scheduler);
    const json list = parsed(longhaul_program("plan " + in_parts + "--groups --json --scheduler " + scheduler +
                                              " --set scheduler.keep=[degrees,micro_batch]"));
    std::size_t contexts = 0;
    for (const json& group : list["groups"]) contexts += group["kind"] == "context" ? 1 : 0;
    CHECK(contexts == 2);
    for (const json& rank : list["ranks"]) CHECK(rank["part"] == rank["rank"].get<int>() % 2);
  }
  CHECK_THAT(longhaul_program("plan " + in_parts + "--groups").out, Catch::Contains("1 of 2"));
  CHECK_THAT(longhaul_program("run " + in_parts + "--scheduler dtfm").error,
             Catch::Contains("context degree 2 beside a search"));
}

TEST_CASE("longhaul keeps the parts when it chooses degrees") {
  const json run = parsed(longhaul_program("run " + in_parts + "--scheduler longhaul --seed 3 --json"));
  CHECK(run["plan"]["context"] == 2);
  CHECK(run["plan"]["pipeline"].get<int>() * run["plan"]["data"].get<int>() == 2);
}

TEST_CASE("parts that are not alike are one line") {
  const Scratch scratch;
  const std::string file = scratch.write("thirds.yaml", R"(name: thirds
description: "three GPU"
platform:
  name: three
  source: "made up"
  bandwidth_limit: per_pair
  nic: {up: 10 Gbps, down: 10 Gbps}
  inside: {delay: 1 ms}
  regions: [here]
  machines:
    - {region: here, devices: 3, device_type: V100-SXM2-16GB, inside: {delay: 0 ms, bandwidth: 100 GB/s}}
network: {profile: ideal}
job: {model: gpt3_xl_dtfm, layers: 2, precision: fp16, recompute: none, micro_batch: 1, micro_batches: 1, compute: {efficiency: 0.4}}
plan: {pipeline: 1, data: 1, context: 3, schedule: 1f1b, gradient_sync: ring_all_reduce}
)");
  const Answer answer = longhaul_program("run " + file);
  CHECK(answer.exit_code == 2);
  CHECK_THAT(answer.error, Catch::Contains("thirds.yaml:14:39: plan.context: 3 parts of 2048 tokens (every rank has "
                                           "as many); accepted: a divisor of 2048"));
}
