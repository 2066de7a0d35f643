// Replicas that differ, simulated: times equal the closed forms.
#include <catch2/catch.hpp>

#include "sim/engine/fast_plan_evaluator.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

Plan plan_of(const std::vector<PipelinePlan>& pipelines, const std::string& schedule = "gpipe") {
  Plan plan = test_plan(1, 1, 1, schedule, "ring_all_reduce");
  set_pipelines(plan, pipelines);
  for (std::size_t rank = 0; rank < plan.ranks(); ++rank) plan.rank_of_device.emplace_back(rank);
  return plan;
}

double seconds(const Platform& platform, const Job& job, const Plan& plan, const NetworkModel& network = {}) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, network);
  GraphWorkload workload(graph);
  return simulate(platform, workload, network).end.value;
}

Platform pairs(std::size_t devices, double delay, double bandwidth) {
  Cluster cluster = test_cluster({devices}, BandwidthLimit::per_pair);
  cluster.between[0] = link_figures(delay, bandwidth);
  return load_cluster(cluster);
}

// Layers compute for time, nothing else does: no head, no measured times.
Job job_by_flops(std::int64_t layers) {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  job.model.head = Head::none;
  job.model.layers = layers;
  job.recompute = Recompute::none;
  job.compute.weight_update = Seconds(0);
  return job;
}

}  // namespace

TEST_CASE("on a free network the slowest replica rules: (m + p - 1)(f + b) of its own stages") {
  const Platform platform = pairs(5, 0, 1e18);
  const Job job = job_by_flops(24);
  const double layer =
      layer_forward_flops(job.model).value / platform.view.device(DeviceId(0)).peak.value;  // forward, one sequence
  for (const std::size_t count : {1U, 5U, 20U}) {
    const double three = static_cast<double>(count + 2) * 3 * 8 * layer;
    const double two = 2 * static_cast<double>(7 + 1) * 3 * 12 * layer;  // of two sequences each
    INFO(count << " micro-batches");
    CHECK(seconds(platform, job,
                  plan_of({{{8, 8, 8}, {1, 1, 1}, 1, count, {}, ""}, {{12, 12}, {1, 1}, 2, 7, {}, ""}})) ==
          Approx(std::max(three, two)).epsilon(2e-5));  // gradients, on 1000 Tbps
  }
}

TEST_CASE("layers synchronise with whoever holds them, in rings of two") {
  // Two replicas of one and two stages: rank 0 exchanges both halves of the model, one after the other in its streams.
  const Platform platform = pairs(3, 0.5, 1e6);
  Job job = job_by_flops(24);
  job.compute.forward = Seconds(1);
  job.compute.backward = Seconds(2);
  const Plan plan = plan_of({{{24}, {1}, 1, 4, {}, ""}, {{12, 12}, {1, 1}, 1, 1, {}, ""}});
  const double halves[] = {
      (parameters_per_layer(job.model) * 12 + embedding_parameters(job.model)) * 2,
      (parameters_per_layer(job.model) * 12) * 2,
  };
  // Its streams pass one message at a time; whose step comes first is left to them, so that a step of the larger half may wait
  // for one of the other.
  const double alone = 4 * 3 + (halves[0] + halves[1]) / 1e6 + 0.5;
  const double simulated = seconds(platform, job, plan);
  CHECK(simulated >= alone - 1e-6);
  CHECK(simulated <= alone + halves[0] / 2 / 1e6 + 10);
}

TEST_CASE("replicas pinned to a type but alike take as long as a plan of degrees") {
  const Platform platform = pairs(8, 0.1, 1e9);
  const Job job = job_by_flops(24);
  for (const std::size_t tensor : {1U, 2U})
    for (const char* schedule : {"gpipe", "1f1b", "zb_h1"}) {
      Plan plan = test_plan(4 / tensor, 2, 6, schedule, "ring_all_reduce");
      plan.degrees.tensor = tensor;
      plan.sync_groups = 2;
      plan.rank_of_device.clear();
      for (std::size_t rank = 0; rank < 8; ++rank) plan.rank_of_device.emplace_back(rank);
      PipelinePlan pinned = plan.pipeline(Replica(0));
      pinned.device_type = "V100-SXM2-16GB";
      Plan listed = plan;
      set_pipelines(listed, {pinned, pinned});
      listed.rank_of_device = plan.rank_of_device;
      REQUIRE(listed.pipelines.size() == 2);
      CHECK(seconds(platform, job, listed) == Approx(seconds(platform, job, plan)).epsilon(1e-9));
    }
}

TEST_CASE("the fast evaluator takes replicas that differ, and moves them") {
  const Platform platform = pairs(8, 0.01, 1e8);
  const Job job = job_by_flops(24);
  Plan plan = plan_of({{{12, 12}, {2, 1}, 2, 5, {}, ""}, {{6, 8, 10}, {1, 2, 2}, 1, 7, {}, ""}}, "1f1b");
  plan.sync_groups = 2;
  NetworkModel network;
  network.equations = NetworkEquations::raw;
  FastPlanEvaluator evaluator(job, platform.view, network);
  const double first = evaluator.evaluate(plan).value;
  CHECK(first == Approx(seconds(platform, job, plan, network)).epsilon(1e-6));
  std::swap(plan.rank_of_device[0], plan.rank_of_device[7]);
  std::swap(plan.rank_of_device[2], plan.rank_of_device[4]);
  FastPlanEvaluator fresh(job, platform.view, network);
  CHECK(evaluator.evaluate(plan).value == fresh.evaluate(plan).value);
}

TEST_CASE("memory of every stage of every replica follows its own layers, slices and micro-batches") {
  const Job job = job_by_flops(24);
  const Plan plan = plan_of({{{20, 4}, {2, 1}, 2, 5, {}, ""}, {{24}, {1}, 1, 3, {}, ""}}, "1f1b");
  const std::vector<StageMemory> stages = stage_memory(job, plan);
  REQUIRE(stages.size() == 3);
  Plan alike = test_plan(2, 2, 5, "1f1b", "ring_all_reduce");
  alike.degrees.tensor = 2;
  alike.layers_per_stage = {20, 4};
  alike.micro_batch_size = 2;
  CHECK(stages[0].total().value == stage_memory(job, alike)[0].total().value);
  CHECK(stages[2].in_flight == 1);
  CHECK(stages[1].name() == "1 of replica 0");
  CHECK(stages[2].name() == "0 of replica 1");
}
