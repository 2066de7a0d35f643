// Speed of the engine and of the search, on scenarios that are shipped. Ratios within one run are what counts.
#include <benchmark/benchmark.h>

#include "scheduler/scheduler.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/graph_analysis.hpp"
#include "sim/workload/pipeline_workload.hpp"

namespace {

using namespace longhaul;

std::string shipped(const std::string& path) { return std::string(LONGHAUL_SOURCE_DIR) + "/" + path; }

struct CommonJob {
  Scenario scenario;
  Platform platform;
  Plan plan;

  explicit CommonJob(std::int64_t micro_batches) {
    ScenarioSource source(shipped("scenarios/common_job.yaml"));
    source.set("job.micro_batches=" + std::to_string(micro_batches));
    scenario = source.read();
    platform = load_platform(scenario.platform);
    plan = fixed_plan(scenario, platform.view.size());
    for (std::size_t i = 0; i < platform.view.size(); ++i) plan.rank_of_device.emplace_back(i);
  }
  TaskletGraph graph() const { return pipeline_tasklets(scenario.job, plan, platform.view, scenario.network); }
};

void count_tasklets(benchmark::State& state, std::size_t tasklets) {
  state.counters["tasklets"] = static_cast<double>(tasklets);
  state.counters["tasklets/s"] =
      benchmark::Counter(static_cast<double>(tasklets * state.iterations()), benchmark::Counter::kIsRate);
}

void simulate_common_job(benchmark::State& state) {
  const CommonJob job(state.range(0));
  const TaskletGraph graph = job.graph();
  for (auto _ : state) {
    GraphWorkload workload(graph);
    benchmark::DoNotOptimize(simulate(job.platform, workload, job.scenario.network).end);
  }
  count_tasklets(state, graph.size());
}
BENCHMARK(simulate_common_job)->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

void build_common_job(benchmark::State& state) {
  const CommonJob job(state.range(0));
  std::size_t tasklets = 0;
  for (auto _ : state) tasklets = job.graph().size();
  count_tasklets(state, tasklets);
}
BENCHMARK(build_common_job)->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond);

void order_common_job(benchmark::State& state) {
  const TaskletGraph graph = CommonJob(state.range(0)).graph();
  for (auto _ : state) benchmark::DoNotOptimize(topological_order(graph).size());
  count_tasklets(state, graph.size());
}
BENCHMARK(order_common_job)->Arg(512)->Unit(benchmark::kMillisecond);

void load_eight_cities(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(load_platform(shipped("platforms/eight_cities.yaml")).view.size());
}
BENCHMARK(load_eight_cities)->Unit(benchmark::kMillisecond)->UseRealTime();

void search_eight_cities(benchmark::State& state) {
  const Scenario scenario = ScenarioSource(shipped("scenarios/eight_cities_paper.yaml")).read();
  const Platform platform = load_platform(scenario.platform);
  const CostSizes sizes{*scenario.scheduler.gradient_bytes, *scenario.scheduler.activation_bytes};
  const Problem problem{platform.view, fixed_plan(scenario, platform.view.size()), sizes, {}, 1, {}, nullptr};
  std::size_t evaluations = 0;
  for (auto _ : state) evaluations += find_scheduler("dtfm")->plan(problem).evaluations;
  state.counters["evaluations/s"] = benchmark::Counter(static_cast<double>(evaluations), benchmark::Counter::kIsRate);
}
BENCHMARK(search_eight_cities)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
