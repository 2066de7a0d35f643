// What devices hold over time, against the estimate of their peaks.
#include "sim/results/memory_timeline.hpp"

#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

Job small_job(Recompute recompute) {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  job.model.layers = 8;
  job.recompute = recompute;
  job.runtime_memory = Bytes(1e9);
  job.compute.forward = Seconds(1);
  job.compute.backward = Seconds(2);
  return job;
}

Plan plan_of(const std::string& schedule, std::size_t chunks) {
  Plan plan;
  plan.degrees = {4, 1, 1};
  plan.layers_per_stage = {2, 2, 2, 2};
  plan.micro_batches = 8;
  plan.schedule = schedule;
  plan.virtual_stages = chunks;
  for (std::size_t rank = 0; rank < 4; ++rank) plan.rank_of_device.emplace_back(rank);
  return plan;
}

Platform four() { return load_cluster(test_cluster({4}, BandwidthLimit::per_pair)); }

std::vector<DeviceMemory> run(const Job& job, const Plan& plan) {
  const Platform platform = four();
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
  GraphWorkload workload(graph);
  return memory_timeline(job, plan, graph, simulate(platform, workload, {}));
}

}  // namespace

TEST_CASE("the most that a stage holds in a run is what the estimate says, for every schedule") {
  for (const Recompute recompute : {Recompute::none, Recompute::full})
    for (const auto& [schedule, chunks] :
         {std::pair("gpipe", 1U), std::pair("1f1b", 1U), std::pair("interleaved_1f1b", 2U), std::pair("zb_h1", 1U)}) {
      INFO(schedule << " recompute " << static_cast<int>(recompute));
      const Job job = small_job(recompute);
      for (const DeviceMemory& stage : run(job, plan_of(schedule, chunks))) {
        Bytes activations;
        for (const DeviceMemory::Moment& moment : stage.moments)
          activations = std::max(activations, moment.activations);
        CHECK(activations.value == Approx(stage.estimate.activations.value));
        // With backward split, what is recomputed has become activations, and logits are gone, when these are at their most.
        const bool apart = recompute == Recompute::full && std::string(schedule) == "zb_h1";
        const Bytes other = apart ? (stage.estimate.working_set + stage.estimate.logits) * 1.05 : Bytes();
        CHECK((stage.peak() + other).value >= Approx(stage.estimate.total().value));
        CHECK(stage.peak().value <= Approx(stage.estimate.total().value));
      }
    }
}

TEST_CASE("after the iteration only states are left") {
  for (const DeviceMemory& stage : run(small_job(Recompute::full), plan_of("1f1b", 1))) {
    CHECK(stage.moments.front().time == Seconds());
    const DeviceMemory::Moment& last = stage.moments.back();
    CHECK(last.activations.value == Approx(0).margin(1));
    CHECK(last.working_set == Bytes());
    CHECK(last.logits == Bytes());
  }
}

TEST_CASE("memory as a file has a line per moment, thinned to a thousand a stage") {
  const Job job = small_job(Recompute::none);
  Plan plan = plan_of("1f1b", 1);
  const std::vector<DeviceMemory> stages = run(job, plan);
  const std::string csv = memory_csv(stages, four().view);
  CHECK_THAT(csv, Catch::StartsWith("time_s,stage,replica,device,parameters,"));
  std::size_t moments = 1;
  for (const DeviceMemory& stage : stages) moments += stage.moments.size();
  CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == moments);
  plan.micro_batches = 600;
  const std::string thin = memory_csv(run(job, plan), four().view);
  CHECK(std::count(thin.begin(), thin.end(), '\n') <= 4001);
}
