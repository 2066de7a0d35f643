// Speed of the engines and of what surrounds them. Ratios within one run are what counts.
#include <cstdlib>
#include <queue>

#include "sim/base/random.hpp"
#include "sim/engine/fast_evaluator.hpp"
#include "sim/engine/fast_plan_evaluator.hpp"
#include "sim/engine/link_sharing.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/results/metrics.hpp"
#include "tests/bench/shipped.hpp"

namespace {

using namespace longhaul;

// What other figures can be related to on another machine: a heap of 64 moments, as an event engine has it, a million times.
void reference_heap(benchmark::State& state) {
  RandomStream random(1, "bench");
  for (auto _ : state) {
    std::priority_queue<std::uint64_t> heap;
    for (std::size_t i = 0; i < 64; ++i) heap.push(random.below(1000));
    for (std::size_t i = 0; i < 1'000'000; ++i) {
      const std::uint64_t top = heap.top();
      heap.pop();
      heap.push(top - (i * 2654435761U) % 1000);
    }
    benchmark::DoNotOptimize(heap.top());
  }
}
BENCHMARK(reference_heap)->Unit(benchmark::kMillisecond);

// ---- job W

void whole_process(benchmark::State& state, const char* engine) {
  const std::string command = "'" LONGHAUL_PROGRAM "' run common_job --engine " + std::string(engine) +
                              " --set job.micro_batches=" + std::to_string(state.range(0)) + " >/dev/null";
  const double before = processor_seconds_of_children();
  for (auto _ : state)
    if (std::system(command.c_str()) != 0) state.SkipWithError("the program failed");
  state.counters["processor_ms"] =
      1e3 * (processor_seconds_of_children() - before) / static_cast<double>(state.iterations());
}
BENCHMARK_CAPTURE(whole_process, fast, "fast")->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(whole_process, simgrid, "simgrid")->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

void build_graph(benchmark::State& state) {
  const BenchJob job = common_job(state.range(0));
  std::size_t tasklets = 0;
  for (auto _ : state) tasklets = job.graph().size();
  count_tasklets(state, tasklets);
}
BENCHMARK(build_graph)->Arg(512)->Unit(benchmark::kMillisecond);

void find_metrics(benchmark::State& state) {
  const BenchJob job = common_job(state.range(0));
  const TaskletGraph graph = job.graph();
  const Timeline timeline = simulate(job.platform, graph, job.scenario.network, Engine::fast).timeline;
  for (auto _ : state)
    benchmark::DoNotOptimize(metrics_of(job.scenario.job, job.plan, graph, timeline).breakdown.compute.value);
  count_tasklets(state, graph.size());
}
BENCHMARK(find_metrics)->Arg(512)->Unit(benchmark::kMillisecond);

void look_for_sharing(benchmark::State& state) {
  const BenchJob job = common_job(state.range(0));
  const TaskletGraph graph = job.graph();
  const Timeline timeline = simulate(job.platform, graph, job.scenario.network, Engine::fast).timeline;
  for (auto _ : state)
    benchmark::DoNotOptimize(find_congestion(job.platform, graph, timeline, job.scenario.network).has_value());
}
BENCHMARK(look_for_sharing)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

// ---- the engines, by GPUs

void load_grown_platform(benchmark::State& state) {
  const Cluster cluster = grown_cluster(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(load_platform(cluster, "grown common job").view.size());
  count_memory(state);
}
BENCHMARK(load_grown_platform)
    ->Arg(64)
    ->Arg(512)
    ->Arg(4096)
    ->Arg(8192)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void run_fast(benchmark::State& state) {
  const BenchJob job = grown_job(state.range(0));
  const TaskletGraph graph = job.graph();
  FastEvaluator evaluator;
  evaluator.prepare(graph, job.platform.view, job.scenario.network);
  for (auto _ : state) benchmark::DoNotOptimize(evaluator.run().value);
  state.counters["one_pass"] = evaluator.in_one_pass() ? 1 : 0;
  count_tasklets(state, graph.size());
  count_memory(state);
}
BENCHMARK(run_fast)->Arg(64)->Arg(512)->Arg(4096)->Arg(8192)->Unit(benchmark::kMillisecond);

// The eight cities with shuffled ranks: gradients and activations meet at receivers, so that the order of time is needed.
void run_fast_by_time(benchmark::State& state) {
  BenchJob job("eight_cities", {});
  RandomStream(1, "bench").shuffle(job.plan.rank_of_device);
  const TaskletGraph graph = job.graph();
  FastEvaluator evaluator;
  evaluator.prepare(graph, job.platform.view, job.scenario.network);
  for (auto _ : state) benchmark::DoNotOptimize(evaluator.run().value);
  state.counters["one_pass"] = evaluator.in_one_pass() ? 1 : 0;
  count_tasklets(state, graph.size());
}
BENCHMARK(run_fast_by_time)->Unit(benchmark::kMillisecond);

void run_simgrid(benchmark::State& state) {
  const BenchJob job = grown_job(state.range(0));
  const TaskletGraph graph = job.graph();
  for (auto _ : state)
    benchmark::DoNotOptimize(simulate(job.platform, graph, job.scenario.network, Engine::simgrid).timeline.end.value);
  count_tasklets(state, graph.size());
  count_memory(state);
}
BENCHMARK(run_simgrid)
    ->Arg(64)
    ->Arg(512)
    ->Arg(4096)
    ->Arg(8192)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// ---- plans of the eight cities, as a search evaluates them

void count_evaluations(benchmark::State& state) {
  state.counters["evaluations/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void evaluate_swaps(benchmark::State& state) {
  BenchJob job("eight_cities", {});
  FastPlanEvaluator evaluator(job.scenario.job, job.platform.view, job.scenario.network);
  RandomStream random(1, "bench");
  for (auto _ : state) {
    std::swap(job.plan.rank_of_device[random.below(64)], job.plan.rank_of_device[random.below(64)]);
    benchmark::DoNotOptimize(evaluator.evaluate(job.plan).value);
  }
  count_evaluations(state);
}
BENCHMARK(evaluate_swaps)->Unit(benchmark::kMillisecond);

void evaluate_shapes(benchmark::State& state) {
  BenchJob job("eight_cities", {});
  FastPlanEvaluator evaluator(job.scenario.job, job.platform.view, job.scenario.network);
  for (auto _ : state) {
    job.plan.phase_barrier = !job.plan.phase_barrier;
    benchmark::DoNotOptimize(evaluator.evaluate(job.plan).value);
  }
  count_evaluations(state);
}
BENCHMARK(evaluate_shapes)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
