#include "sim/app/run_report.hpp"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/results/text_table.hpp"

namespace longhaul {
namespace {

std::string plural(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string breakdown_lines(const Breakdown& parts, Seconds whole) {
  const auto row = [&](const char* name, Seconds seconds) {
    return std::vector<std::string>{name, fmt::format("{:.2f} s", seconds.value),
                                    fmt::format("{:.1f} %", 100 * (seconds / whole))};
  };
  return text_table(
      {"  where the time goes", "", ""}, {Align::left, Align::right, Align::right},
      {row("    compute", parts.compute), row("    pipeline bubble", parts.pipeline_bubble),
       row("    exposed activation transfer", parts.exposed_activation_transfer),
       row("    exposed gradient sync", parts.exposed_gradient_sync), row("    barriers", parts.barriers)});
}

std::string degrees_of(const Plan& plan) {
  if (!plan.pipelines.empty()) return fmt::format("{} that differ", plural(plan.degrees.data, "replica"));
  return fmt::format("pipeline {} x data {}{}", plan.degrees.pipeline, plan.degrees.data,
                     plan.degrees.tensor > 1 ? fmt::format(" x tensor {}", plan.degrees.tensor) : "") +
         (plan.degrees.context > 1 ? fmt::format(" x context {}", plan.degrees.context) : "") +
         (plan.expert > 1 ? fmt::format(", experts on {} replicas", plan.expert) : "");
}

std::string passes_of(const Plan& plan) {
  std::string passes = plan.passes == 1 ? "1 pass" : fmt::format("{} passes", plan.passes);
  if (!plan.pipelines.empty()) return passes;
  return passes +
         (plan.micro_batches == 1 ? " of 1 micro-batch" : fmt::format(" of {} micro-batches", plan.micro_batches));
}

// Replicas that differ, neighbours that do not in one line.
std::string pipeline_lines(const Plan& plan) {
  std::string text;
  for (std::size_t first = 0; first < plan.pipelines.size();) {
    const PipelinePlan& pipeline = plan.pipelines[first];
    std::size_t last = first;
    while (last + 1 < plan.pipelines.size() && plan.pipelines[last + 1] == pipeline) ++last;
    text += fmt::format(
        "    replica {}: {} stages of {} layers, {}, {} of {}{}\n",
        first == last ? fmt::to_string(first) : fmt::format("{} to {}", first, last), pipeline.layers.size(),
        fmt::join(pipeline.layers, "/"), fmt::format("tensor {}", fmt::join(pipeline.tensor, "/")),
        fmt::format("{} micro-batch{}", pipeline.micro_batches, pipeline.micro_batches == 1 ? "" : "es"),
        plural(pipeline.micro_batch_size, "sequence"),
        pipeline.device_type.empty() ? "" : ", on " + pipeline.device_type);
    first = last + 1;
  }
  return text;
}

std::string schedule_of(const Plan& plan) {
  if (!plan.warm_up.empty())
    return fmt::format("{} with [{}] forwards ahead", plan.schedule, fmt::join(plan.warm_up, ", "));
  if (plan.virtual_stages == 1) return plan.schedule;
  return fmt::format("{} over {} chunks per stage", plan.schedule, plan.virtual_stages);
}

// What a plan says about its sync and its messages beyond the name of a collective.
std::string sync_details(const Plan& plan) {
  std::string text;
  if (plan.zero > 0) text += fmt::format(" as ZeRO-{}", plan.zero);
  if (!plan.shards.empty()) text += " in uneven shards";
  if (plan.sync_groups > 1) text += fmt::format(" in {} groups", plan.sync_groups);
  if (!plan.ring_orders.empty()) text += " in an order of its own";
  const std::string gradients = words_of(plan.gradient_compression);
  const std::string activations = words_of(plan.activation_compression);
  if (!gradients.empty()) text += ", gradients as " + gradients;
  if (!activations.empty()) text += ", activations as " + activations;
  return text;
}

// "ring_all_reduce on stage 0 to 2, hierarchical_ring on stage 3"; the slices of one stage may differ. Where replicas differ,
// what they synchronise together are not stages but parts of the model.
std::string collectives_line(const RunRecord& record) {
  const bool regular = record.plan.pipelines.empty();
  const std::size_t slices = regular ? record.plan.degrees.tensor : 1;
  const auto names_of = [&](std::size_t stage) {
    std::string names;
    for (std::size_t slice = 0; slice < slices; ++slice) {
      const std::string& name = record.collectives[stage * slices + slice];
      if (names.find(name) == std::string::npos) names += (names.empty() ? "" : " or ") + name;
    }
    return names;
  };
  std::string text;
  const std::size_t stages = record.collectives.size() / slices;
  for (std::size_t stage = 0; stage < stages;) {
    std::size_t end = stage + 1;
    while (end < stages && names_of(end) == names_of(stage)) ++end;
    text +=
        fmt::format("{}{} on {} {}", text.empty() ? "" : ", ", names_of(stage), regular ? "stage" : "part", stage);
    if (end > stage + 1) text += fmt::format(" to {}", end - 1);
    stage = end;
  }
  return fmt::format("  gradient sync by auto: {}\n", text);
}

std::string memory_line(const std::vector<StageMemory>& stages) {
  const std::size_t fullest = fullest_stage(stages);
  const StageMemory& stage = stages[fullest];
  std::string text = fmt::format("  memory: {:.1f} GB on the fullest stage ({}), estimated",
                                 stage.total().value / 1e9, stage.name());
  if (stage.device > Bytes()) text += fmt::format(", {:.1f} GB on its device", stage.device.value / 1e9);
  return text + (stage.fits() ? "\n" : ": it does not fit\n");
}

std::string engine_line(const RunRecord& record) {
  if (!record.fast_iteration)
    return fmt::format("  engine: {}{}\n", record.engine == "fast" ? "fast evaluator, exact here" : "SimGrid",
                       record.doubt.empty() ? "" : "; the fast evaluator does not apply: " + record.doubt);
  const std::string exactness = record.doubt.empty() ? "exact here" : "not exact here, " + record.doubt;
  if (record.engine == "fast") return fmt::format("  engine: fast evaluator, {}\n", exactness);
  return fmt::format("  engine: SimGrid; the fast evaluator says {:.2f} s ({:+.2f} %), {}\n",
                     record.fast_iteration->value, 100 * (*record.fast_iteration / record.metrics->iteration - 1),
                     exactness);
}

}  // namespace

std::string run_report(const RunRecord& record, const PlatformView& platform, Timing timing) {
  std::set<std::string> regions;
  for (const Device& device : platform.devices()) regions.insert(device.region);
  const Plan& plan = record.plan;
  std::string text = fmt::format("{}: {} in {}\n", record.scenario, plural(platform.size(), "GPU"),
                                 plural(regions.size(), "region"));
  text += fmt::format("  plan by {} (seed {}): {}, {}, {}, {}{}\n", record.scheduler, record.seed, degrees_of(plan),
                      schedule_of(plan), passes_of(plan), plan.gradient_sync, sync_details(plan));
  text += pipeline_lines(plan);
  if (record.evaluations > 0)
    text += fmt::format("  search: {} evaluations{}{}\n", record.evaluations,
                        record.best_evaluation > 0 ? fmt::format(", best at {}", record.best_evaluation) : "",
                        record.stage_order.empty() ? "" : "; order of the stages: " + record.stage_order);
  if (!record.reason.empty()) text += "  why: " + record.reason + "\n";
  if (record.cost)
    text += fmt::format("  cost (DT-FM model): data parallel {:.6f} s + pipeline {:.6f} s = {:.6f} s\n",
                        record.cost->data_parallel.value, record.cost->pipeline.value, record.cost->total().value);
  for (const ComputeOrigin& computing : record.computing)
    text += fmt::format("  computing on {}: {}\n", computing.device_type, computing.origin);
  if (!record.collectives.empty()) text += collectives_line(record);
  if (!record.memory.empty()) text += memory_line(record.memory);
  if (record.metrics) {
    const Metrics& metrics = *record.metrics;
    text += fmt::format("  iteration: {:.2f} s simulated, {:.3f} PFLOPS, {:.2f} sequences/s, {}\n",
                        metrics.iteration.value, metrics.throughput.value / 1e15, metrics.samples_per_second,
                        plural(metrics.tasklets, "tasklet"));
    text += engine_line(record);
    if (record.iterations)
      text += fmt::format("  iterations: {}, {:.2f} s each on average; these lines describe the last\n",
                          record.iterations->count, record.iterations->mean.value);
    if (record.requested_batch)
      text += fmt::format("  note: {} sequences fit whole passes, {} were asked for\n", metrics.samples,
                          *record.requested_batch);
    if (record.recorded)
      text += fmt::format("  recorded: {:.2f} s, the simulation is {:+.1f} % off ({})\n", record.recorded->value,
                          100 * (metrics.iteration / *record.recorded - 1), record.recorded_source);
    text += breakdown_lines(metrics.breakdown, metrics.iteration);
  }
  if (timing == Timing::shown) {
    text += fmt::format("  wall clock: planning {:.3f} s", record.planning_time.value);
    if (record.metrics) text += fmt::format(", simulation {:.3f} s", record.simulation_time.value);
    text += "\n";
  }
  return text;
}

}  // namespace longhaul
