// Speed of DT-FM's search on its cost model.
#include "scheduler/partition_cost.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/base/random.hpp"
#include "tests/bench/shipped.hpp"

namespace {

using namespace longhaul;

CostSizes sizes_of(const Scenario& scenario) {
  return {*scenario.scheduler.gradient_bytes, *scenario.scheduler.activation_bytes};
}

void cost_evaluations(benchmark::State& state) {
  const BenchJob job("eight_cities_paper", {});
  Degrees degrees = job.plan.degrees;
  degrees.pipeline = static_cast<std::size_t>(state.range(0));
  degrees.data = 64 / degrees.pipeline;
  const CostMatrices matrices(job.platform.view, sizes_of(job.scenario), degrees.data);
  PartitionCost cost(matrices, degrees);
  RandomStream random(1, "bench");
  const Partition partition = random_partition(64, degrees.pipeline, random);
  for (auto _ : state) benchmark::DoNotOptimize(cost.score(partition).cost.pipeline.value);
  state.counters["evaluations/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(cost_evaluations)->ArgName("groups")->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMicrosecond);

// The full search: 5000 evaluations.
void search_eight_cities(benchmark::State& state) {
  const BenchJob job("eight_cities_paper", {});
  Plan fixed = job.plan;
  fixed.rank_of_device.clear();
  fixed.degrees.pipeline = static_cast<std::size_t>(state.range(0));
  fixed.degrees.data = 64 / fixed.degrees.pipeline;
  const Problem problem{
      job.platform.view, fixed, sizes_of(job.scenario), job.scenario.scheduler.search, 1, {}, nullptr};
  std::size_t evaluations = 0;
  for (auto _ : state) evaluations += find_scheduler("dtfm")->plan(problem).evaluations;
  state.counters["evaluations"] = static_cast<double>(evaluations) / static_cast<double>(state.iterations());
  state.counters["evaluations/s"] = benchmark::Counter(static_cast<double>(evaluations), benchmark::Counter::kIsRate);
}
BENCHMARK(search_eight_cities)->ArgName("groups")->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);

}  // namespace
