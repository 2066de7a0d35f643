#include "sim/app/run_scenario.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduler/cost_model.hpp"
#include "scheduler/placement.hpp"
#include "sim/app/plan_simulation.hpp"
#include "sim/workload/fixed_pipelines.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/memory_check.hpp"
#include "sim/workload/repeated_workload.hpp"
#include "sim/workload/sync_choice.hpp"
#include "sim/workload/workload_builder.hpp"

namespace longhaul {
namespace {

class Stopwatch {
 public:
  Seconds elapsed() const {
    return Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::function<void(double)> part_of(const Progress& progress, const std::string& what) {
  if (!progress) return nullptr;
  return [progress, what](double fraction) { progress(what, fraction); };
}

// What the cost model counts unless the scenario says otherwise: the largest stage's gradients, and the activations
// of all micro-batches that a pipeline processes in an iteration, both as they are sent between regions.
CostSizes cost_sizes(const Scenario& scenario, const Plan& plan) {
  CostSizes sizes;
  const double value = scenario.job.value_bytes();
  const Compression& gradients = plan.gradient_compression.over(Reach::between_regions);
  const Compression& activations = plan.activation_compression.over(Reach::between_regions);
  for (std::size_t replica = 0; replica < (plan.pipelines.empty() ? 1 : plan.degrees.data); ++replica) {
    const PipelinePlan pipeline = plan.pipeline(Replica(replica));
    const std::vector<StageLoad> loads = stage_loads(scenario.job, pipeline.layers, pipeline.micro_batch_size);
    for (const StageLoad& load : loads)
      sizes.gradient = std::max(sizes.gradient, compressed_bytes(gradients, load.gradient, value));
    const Bytes activation = compressed_bytes(activations, loads.front().activation, value);
    sizes.activation =
        std::max(sizes.activation, activation * static_cast<double>(pipeline.micro_batches * plan.passes));
  }
  sizes.gradient = scenario.scheduler.gradient_bytes.value_or(sizes.gradient);
  sizes.activation = scenario.scheduler.activation_bytes.value_or(sizes.activation);
  return sizes;
}

void check_speed_factors(const ComputeModel& compute, const PlatformView& platform) {
  for (const auto& [type, factor] : compute.speed_factor_by_type) {
    const auto& devices = platform.devices();
    const auto is_it = [&type = type](const Device& device) { return device.type == type; };
    if (std::none_of(devices.begin(), devices.end(), is_it))
      throw UserError(compute.speed_factor_where, fmt::format("no device of the platform is a {}", type),
                      "the factor would change nothing", "device types of the platform");
  }
}

// Iterations one after another, of which the last is kept.
Simulated simulate_iterations(const Scenario& scenario, const Platform& platform, const TaskletGraph& graph,
                              const Progress& progress, Engine engine, RunRecord& record) {
  const std::size_t iterations = scenario.job.iterations;
  if (engine == Engine::fast)
    throw UserError({}, fmt::format("the fast evaluator beside job.iterations: {}", iterations),
                    "it knows one iteration", "another engine, or iterations: 1");
  RepeatedWorkload workload(graph, iterations);
  Simulated simulated;
  simulated.timeline = simulate(platform, workload, scenario.network, part_of(progress, "simulating"));
  simulated.doubt = "it knows one iteration";
  record.iterations = Iterations{iterations, simulated.timeline.end / static_cast<double>(iterations)};
  simulated.timeline = last_iteration(simulated.timeline, graph.size());
  return simulated;
}

Problem problem_of(const Scenario& scenario, const Platform& whole, const Progress& progress) {
  const PlatformView& platform = whole.view;
  Problem problem{platform,
                  fixed_plan(scenario, platform.size()),
                  {},
                  scenario.scheduler.search,
                  scenario.scheduler.seed,
                  scenario.scheduler.rank_map,
                  part_of(progress, "planning")};
  problem.sizes = cost_sizes(scenario, problem.fixed);
  problem.balance = scenario.plan.balance;
  problem.short_tours = scenario.plan.ring_order == RingOrder::nearest;
  problem.job = &scenario.job;
  problem.make_evaluator = evaluator_maker(scenario, whole);
  problem.confirm = exact_simulation(scenario, whole);
  check_speed_factors(scenario.job.compute, platform);
  check_device_types(scenario, platform);
  const std::size_t ranks = problem.rank_map.size();
  if (ranks != 0 && ranks != platform.size())
    throw UserError(scenario.scheduler.rank_map_where, fmt::format("the rank map has {} entries", ranks),
                    fmt::format("the platform has {} devices", platform.size()), "one rank per device");
  if (scenario.scheduler.megatron_order && !problem.fixed.pipelines.empty())
    throw UserError(scenario.scheduler.rank_map_where, "scheduler.rank_order: megatron beside plan.pipelines",
                    "Megatron-LM numbers ranks by degrees, which replicas that differ have not",
                    "rank_order: pipeline_first");
  if (scenario.scheduler.megatron_order)
    for (RankId& rank : problem.rank_map) rank = problem.fixed.degrees.from_megatron(rank.value);
  return problem;
}

void add_recorded(const Scenario& scenario, RunRecord& record) {
  for (const RecordedTiming& timing : scenario.recorded) {
    const auto& names = timing.schedulers;
    const bool same_job = timing.layers == static_cast<std::size_t>(scenario.job.model.layers) &&
                          timing.global_batch == scenario.job.global_batch.value_or(0);
    const bool same_placement = timing.rank_map == record.plan.rank_of_device ||
                                std::find(names.begin(), names.end(), record.scheduler) != names.end();
    if (!same_job || !same_placement) continue;
    record.recorded = timing.seconds;
    record.recorded_source = timing.source;
    return;
  }
}

RunRecord record_of(const Scenario& scenario, const Decision& decision) {
  RunRecord record;
  record.scenario = scenario.name;
  record.scheduler = scenario.scheduler.name;
  record.seed = scenario.scheduler.seed;
  record.plan = decision.plan;
  record.evaluations = decision.evaluations;
  record.best_evaluation = decision.best_evaluation;
  record.reason = decision.reason;
  record.stage_order = decision.stage_order;
  if (scenario.job.global_batch && *scenario.job.global_batch != samples_per_iteration(decision.plan))
    record.requested_batch = scenario.job.global_batch;
  add_recorded(scenario, record);
  return record;
}

void add_engine(Engine asked, const Simulated& simulated, RunRecord& record) {
  record.engine = simulated.engine == Engine::fast ? "fast" : "simgrid";
  if (asked != Engine::fast && asked != Engine::both) return;
  record.fast_iteration = simulated.fast_end;
  record.doubt = simulated.doubt;
}

}  // namespace

Platform platform_of(const Scenario& scenario) {
  return scenario.cluster ? load_platform(*scenario.cluster, scenario.platform) : load_platform(scenario.platform);
}

const Scheduler& scheduler_of(const Scenario& scenario) {
  if (const Scheduler* scheduler = find_scheduler(scenario.scheduler.name)) return *scheduler;
  std::vector<std::string> names;
  for (const Scheduler& scheduler : schedulers()) names.emplace_back(scheduler.name);
  throw UserError(scenario.scheduler.name_where, fmt::format("there is no scheduler '{}'", scenario.scheduler.name),
                  "", fmt::format("{}", fmt::join(names, ", ")));
}

PlannedRun plan_scenario(const Scenario& scenario, const Progress& progress) {
  PlannedRun run;
  const Scheduler& scheduler = scheduler_of(scenario);
  run.platform = platform_of(scenario);
  const Problem problem = problem_of(scenario, run.platform, progress);
  const Stopwatch watch;
  Decision decision = scheduler.plan(problem);
  if (scheduler.needs != Needs::simulation) decision.plan = finished(problem, std::move(decision.plan));
  check_size(decision.plan, scenario);
  const bool trains = find_workload_builder(decision.plan.workload)->trains;
  if (trains && scenario.plan.check_memory)
    check_memory(scenario.job, decision.plan, run.platform.view, scenario.plan.check_memory_where);
  run.record = record_of(scenario, decision);
  if (decision.plan.has_regular_ranks()) {
    const Cost cost = cost_of_placement(run.platform.view, decision.plan, cost_sizes(scenario, decision.plan));
    run.record.cost = PlanCost{cost.data_parallel, cost.pipeline};
  }
  if (trains) {
    run.record.memory = stage_memory(scenario.job, decision.plan, run.platform.view);
    run.record.computing = compute_origins(scenario.job, decision.plan, run.platform.view);
  }
  run.record.collectives = chosen_collectives(scenario.job, decision.plan, run.platform.view, scenario.network);
  run.record.planning_time = watch.elapsed();
  return run;
}

SimulatedRun run_scenario(const Scenario& scenario, const Progress& progress, Engine engine) {
  auto [platform, record] = plan_scenario(scenario, progress);
  const Stopwatch watch;
  TaskletGraph graph =
      find_workload_builder(record.plan.workload)->build(scenario.job, record.plan, platform.view, scenario.network);
  Simulated simulated = scenario.job.iterations > 1
                            ? simulate_iterations(scenario, platform, graph, progress, engine, record)
                            : simulate(platform, graph, scenario.network, engine, part_of(progress, "simulating"));
  record.metrics = metrics_of(scenario.job, record.plan, graph, simulated.timeline);
  add_engine(engine, simulated, record);
  record.simulation_time = watch.elapsed();
  return {std::move(platform), std::move(graph), std::move(simulated.timeline), std::move(record)};
}

}  // namespace longhaul
