// Longhaul's own scheduler: the true optimum where that can be counted out, and never worse than anybody else.
#include <algorithm>

#include <catch2/catch.hpp>

#include "scheduler/scheduler.hpp"
#include "sim/app/run_scenario.hpp"
#include "sim/description/data_folder.hpp"
#include "sim/engine/fast_plan_evaluator.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/ring_order.hpp"
#include "sim/workload/schedule.hpp"
#include "tests/description/error_of.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;

namespace {

Scenario scenario(const std::string& name, const std::vector<std::string>& changes) {
  ScenarioSource source(data_file("scenarios", name, ".yaml", {}));
  for (const std::string& change : changes) source.set(change);
  return source.read();
}

RunRecord run(const std::string& name, std::vector<std::string> changes, const std::string& scheduler) {
  changes.push_back("scheduler.name=" + scheduler);
  return run_scenario(scenario(name, changes), nullptr).record;
}

double seconds(const RunRecord& record) { return record.metrics->iteration.value; }

// Every placement of every degree, micro-batch, schedule and sync, one after the other, written without the scheduler's help.
double best_of_everything(const Scenario& scenario, const Platform& platform, std::size_t sequences) {
  FastPlanEvaluator evaluator(scenario.job, platform.view, scenario.network);
  const std::size_t devices = platform.view.size();
  double best = 1e99;
  for (std::size_t pipeline = 1; pipeline <= devices; ++pipeline)
    for (std::size_t size = 1; size <= sequences; size *= 2) {
      Plan plan = fixed_plan(scenario, devices);
      if (devices % pipeline != 0 || pipeline > static_cast<std::size_t>(scenario.job.model.layers)) continue;
      plan.degrees = {pipeline, devices / pipeline, 1};
      if (sequences % (plan.degrees.data * size) != 0) continue;
      plan.layers_per_stage = even_layers(static_cast<std::size_t>(scenario.job.model.layers), pipeline);
      plan.micro_batch_size = size;
      plan.micro_batches = sequences / (plan.degrees.data * size);
      plan.passes = 1;
      plan.phase_barrier = plan.synchronous_transfers = false;
      for (const PipelineSchedule& schedule : pipeline_schedules())
        for (const Collective& collective : collectives())
          for (std::size_t groups = 1; groups <= plan.layers_per_stage.front(); ++groups)
            for (const bool tours : {false, true}) {
              if (!collective.synchronises || schedule.interleaves) continue;
              plan.schedule = schedule.name;
              plan.gradient_sync = collective.name;
              plan.sync_groups = groups;
              plan.rank_of_device.clear();
              for (std::size_t i = 0; i < devices; ++i) plan.rank_of_device.emplace_back(i);
              do {
                plan.ring_orders.clear();
                if (tours) plan.ring_orders = nearest_ring_orders(scenario.job, plan, platform.view);
                best = std::min(best, evaluator.evaluate(plan).value);
              } while (std::next_permutation(plan.rank_of_device.begin(), plan.rank_of_device.end()));
            }
    }
  return best;
}

// Four GPUs in three cities, unequal links in both directions.
std::vector<std::string> small_case(int variant) {
  const std::vector<std::vector<std::string>> variants{
      {"links.north->south.bandwidth=0.3 Gbps"},
      {"links.north->south.bandwidth=5 Gbps", "links.south->north.delay=120 ms", "job.layers=2"},
      {"links.all.bandwidth_factor=20", "job.global_batch=16", "job.layers=6"},
  };
  std::vector<std::string> changes{"platform.bandwidth_limit=per_pair", "job.layers=4", "job.micro_batches=2",
                                   "scheduler.simulations=100000"};
  const auto& more = variants[static_cast<std::size_t>(variant)];
  changes.insert(changes.end(), more.begin(), more.end());
  return changes;
}

std::string inline_two_sites() {
  return R"(name: small
description: "four GPUs at two sites"
platform:
  name: two_sites
  source: "made up"
  between: {delay: 10 ms, bandwidth: 1 Gbps}
  bandwidth_limit: per_pair
  inside: {delay: 1 ms, bandwidth: 4 Gbps}
  regions: [north, south]
  machines:
    - {region: north, count: 3, device_type: A100-SXM4-40GB}
    - {region: south, count: 1, device_type: A100-SXM4-40GB}
network: {profile: ideal}
job:
  model: gpt3_xl_dtfm
  layers: 4
  precision: fp16
  recompute: full
  micro_batch: 1
  micro_batches: 2
  compute: {efficiency: 0.4}
plan: {pipeline: 2, data: 2, schedule: gpipe, gradient_sync: ring_all_reduce}
)";
}

}  // namespace

TEST_CASE("longhaul finds the true optimum where every plan can be counted out") {
  const int variant = GENERATE(0, 1, 2);
  const Scratch scratch;
  ScenarioSource source(scratch.write("small.yaml", inline_two_sites()));
  for (const std::string& change : small_case(variant)) source.set(change);
  source.set("scheduler.name=longhaul");
  const Scenario small = source.read();
  const Platform platform = platform_of(small);
  const RunRecord found = run_scenario(small, nullptr).record;
  const std::size_t sequences = samples_per_iteration(found.plan);
  INFO(found.reason);
  CHECK(seconds(found) <= best_of_everything(small, platform, sequences) * (1 + 1e-9));
}

TEST_CASE("longhaul is never slower than any other scheduler, and trains as many sequences in memory that is there") {
  struct Case {
    const char* scenario;
    std::vector<std::string> changes;
  };
  const Case one =
      GENERATE(Case{"two_sites_smoke", {}}, Case{"common_job", {}}, Case{"collective", {}},
               Case{"spot", {"job.micro_batches=16", "job.global_batch=128"}},
               Case{"data_center", {"job.micro_batches=16", "job.global_batch=128"}},
               Case{"two_universities", {"job.micro_batches=16", "job.global_batch=128"}},
               Case{"four_regions", {"job.micro_batches=16", "job.global_batch=128", "network.model=cm02"}},
               Case{"ten_cities_realistic", {"job.micro_batches=16"}},
               Case{"mixed_two_cities", {"job.micro_batches=16", "job.global_batch=64"}});
  std::vector<std::string> changes = one.changes;
  changes.insert(changes.end(), {"scheduler.simulations=300", "scheduler.population=10", "scheduler.trials=100"});
  const RunRecord ours = run(one.scenario, changes, "longhaul");
  if (std::string(one.scenario) == "mixed_two_cities")  // it says what it gave to whom
    for (const char* type : {"A100-SXM4-40GB in virginia", "V100-SXM2-32GB in virginia", "RTX-3090-24GB in oregon"})
      CHECK(ours.reason.find(type) != std::string::npos);
  for (const char* other : {"identity", "megatron", "megatron_heuristic", "random", "kernighan_lin", "dtfm"}) {
    const Scheduler* scheduler = find_scheduler(other);
    REQUIRE(scheduler != nullptr);
    RunRecord theirs;
    if (error_of([&] { theirs = run(one.scenario, changes, other); }) != "no error") continue;
    INFO(one.scenario << ", " << other << ": " << ours.reason);
    CHECK(seconds(ours) <= seconds(theirs) * (1 + 1e-9));
    CHECK(ours.metrics->samples == theirs.metrics->samples);
  }
}

TEST_CASE("longhaul beats DT-FM's plan on the eight cities by half and more, and DT-FM's placement run at its best") {
  const std::vector<std::string> changes{"scheduler.simulations=2500"};
  const double dtfm = seconds(run("eight_cities", {}, "dtfm"));
  const RunRecord ours = run("eight_cities", changes, "longhaul");
  INFO(ours.reason);
  CHECK(dtfm / seconds(ours) > 1.5);
  for (const StageMemory& stage : ours.memory) CHECK(stage.fits());
  const RunRecord tuned =
      run("eight_cities", {"scheduler.keep=[degrees, placement]", "scheduler.simulations=2500"}, "longhaul");
  CHECK(tuned.plan.rank_of_device == run("eight_cities", {}, "dtfm").plan.rank_of_device);
  CHECK(seconds(tuned) < dtfm);
  CHECK(seconds(tuned) / seconds(ours) > 1.1);
}

TEST_CASE("longhaul keeps what it is told to keep, and gives the same plan for the same seed") {
  const std::vector<std::string> changes{"job.micro_batches=8", "job.global_batch=64", "scheduler.simulations=400",
                                         "scheduler.population=10", "scheduler.trials=100"};
  const auto with = [&](const std::string& keep) {
    std::vector<std::string> more = changes;
    more.push_back("scheduler.keep=" + keep);
    return run("eight_cities", more, "longhaul").plan;
  };
  const Plan fixed = fixed_plan(scenario("eight_cities", changes), 64);
  const Plan shaped = with("[degrees, micro_batch]");
  CHECK(shaped.degrees == fixed.degrees);
  CHECK(shaped.micro_batch_size == fixed.micro_batch_size);
  const Plan run_alike = with("[runtime, degrees]");
  CHECK(run_alike.schedule == fixed.schedule);
  CHECK(run_alike.phase_barrier == fixed.phase_barrier);
  CHECK(run_alike.passes == fixed.passes);
  CHECK(with("[sync]").gradient_sync == fixed.gradient_sync);
  CHECK(with("[]") == with("[]"));
}
