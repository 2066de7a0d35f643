// Replicas that differ, from the command line.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;
using nlohmann::json;

namespace {

// Two A100 and two V100; a pipeline of its own for each.
std::string scenario_text(const std::string& plan) {
  return R"(name: uneven
description: "two kinds of GPU"
platform:
  name: two_kinds
  source: "made up"
  bandwidth_limit: per_pair
  nic: {up: 10 Gbps, down: 10 Gbps}
  inside: {delay: 1 ms}
  regions: [here]
  machines:
    - {region: here, devices: 2, device_type: A100-SXM4-40GB, inside: {delay: 0 ms, bandwidth: 200 GB/s}}
    - {region: here, devices: 2, device_type: V100-SXM2-16GB, inside: {delay: 0 ms, bandwidth: 100 GB/s}}
network: {profile: ideal}
job:
  model: gpt3_xl_dtfm
  layers: 8
  precision: fp16
  recompute: full
  micro_batch: 1
  micro_batches: 6
  compute: {efficiency: 0.4}
plan: )" +
         plan + "\n";
}

const std::string uneven =
    "{pipelines: [{layers: [8], tensor: 2, micro_batch: 2, micro_batches: 9, device_type: A100-SXM4-40GB}, {layers: "
    "[5, 3], warm_up: [2, 0], micro_batches: 4, device_type: V100-SXM2-16GB}], schedule: 1f1b, gradient_sync: "
    "ring_all_reduce, zero: 1, shards: [0.75, 0.25]}";

json parsed(const Answer& answer) {
  INFO(answer.error);
  REQUIRE(answer.exit_code == 0);
  return json::parse(answer.out);
}

}  // namespace

TEST_CASE("a run of replicas that differ is written, read back and reported") {
  const Scratch scratch;
  const std::string file = scratch.write("uneven.yaml", scenario_text(uneven));
  const Answer first =
      longhaul_program("run " + file + " --scheduler random --seed 7 --json --out " + scratch.path("out"));
  const json run = parsed(first);
  CHECK(run["samples"] == 22);
  CHECK(run["cost_model"].is_null());
  CHECK(run["plan"]["pipelines"].size() == 2);
  CHECK(run["plan"]["shards"] == json({0.75, 0.25}));
  CHECK(run["memory"].size() == 3);
  CHECK(run["memory"][2]["replica"] == 1);
  CHECK(run["memory"][2]["stage"] == 1);
  CHECK(longhaul_program("run " + scratch.path("out/scenario.yaml") + " --json").out == first.out);
  CHECK(longhaul_program("report " + scratch.path("out")).exit_code == 0);
  const Answer words = longhaul_program("run " + file);
  CHECK_THAT(words.out, Catch::Contains("2 replicas that differ"));
  CHECK_THAT(words.out,
             Catch::Contains("replica 1: 2 stages of 5/3 layers, tensor 1/1, 4 micro-batches of 1 sequence"));
}

TEST_CASE("pinned replicas stand on their device types, whoever places them") {
  const Scratch scratch;
  const std::string file = scratch.write("uneven.yaml", scenario_text(uneven));
  for (const char* scheduler : {"identity", "random", "longhaul"}) {
    const json list = parsed(longhaul_program("plan " + file + " --seed 5 --groups --json --scheduler " + scheduler +
                                              " --set scheduler.keep=[degrees,micro_batch]"));
    for (const json& rank : list["ranks"])
      CHECK(rank["device_type"] == (rank["replica"] == 0 ? "A100-SXM4-40GB" : "V100-SXM2-16GB"));
    CHECK(list["groups"].size() == 1 + 1 + 4);
  }
  CHECK_THAT(longhaul_program("run " + file + " --scheduler dtfm").error,
             Catch::Contains("DT-FM's cost model and Megatron-LM's rules see one pipeline degree"));
  CHECK_THAT(longhaul_program("explain " + file).out, Catch::Contains("critical path"));
}

TEST_CASE("a replica pinned to a type that the platform lacks is one line") {
  const Scratch scratch;
  std::string text = scenario_text(uneven);
  const std::string pin = "micro_batches: 9, device_type: A100-SXM4-40GB";
  text.replace(text.find(pin), pin.size(), "micro_batches: 9, device_type: H100-SXM-80GB");
  const Answer answer = longhaul_program("run " + scratch.write("uneven.yaml", text));
  CHECK(answer.exit_code == 2);
  CHECK_THAT(answer.error, Catch::Contains("2 ranks on H100-SXM-80GB, of which there are 0"));
  CHECK_THAT(answer.error, Catch::Contains("2 x A100-SXM4-40GB, 2 x V100-SXM2-16GB"));
}

TEST_CASE("plan.balance gives faster devices more, and nothing where they are alike") {
  const Scratch scratch;
  const std::string even = "{pipeline: 1, data: 4, schedule: 1f1b, gradient_sync: ring_all_reduce";
  const std::string file = scratch.write("even.yaml", scenario_text(even + ", balance: [layers, micro_batches]}"));
  const json plan = parsed(longhaul_program("run " + file + " --scheduler identity --json"))["plan"];
  REQUIRE(plan["pipelines"].size() == 4);
  CHECK(plan["pipelines"][0]["micro_batches"].get<int>() > 2 * plan["pipelines"][3]["micro_batches"].get<int>());
  int all = 0;
  for (const json& pipeline : plan["pipelines"]) all += pipeline["micro_batches"].get<int>();
  CHECK(all == 24);
  const std::string alike = "common_job --scheduler identity --set job.micro_batches=2 --json";
  const json same = parsed(longhaul_program("run " + alike + " --set plan.balance=[micro_batches]"));
  CHECK(same["plan"]["pipelines"].empty());
}
