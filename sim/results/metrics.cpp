#include "sim/results/metrics.hpp"

#include <algorithm>

#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/graph_analysis.hpp"
#include "sim/workload/workload_builder.hpp"

namespace longhaul {
namespace {

// Computations as long as they are, everything that the network does for nothing.
std::vector<Seconds> computing_only(const TaskletGraph& graph) {
  std::vector<Seconds> durations;
  durations.reserve(graph.size());
  for (const Tasklet& task : graph.tasklets()) durations.push_back(task.compute);
  return durations;
}

Seconds mean_compute(const TaskletGraph& graph, const Plan& plan) {
  Seconds sum;
  for (const Tasklet& task : graph.tasklets()) sum += task.compute;
  return sum / static_cast<double>(plan.ranks());
}

struct Phases {
  Seconds last_backward;
  Seconds last_gradient;
  Seconds barriers;
};

// A barrier's tasklets stand together in the graph: arrivals, messages, departures, as many arrivals as departures.
Phases phases_of(const TaskletGraph& graph, const Timeline& timeline, std::size_t ranks) {
  Phases phases;
  std::size_t seen = 0;
  Seconds arrival;
  Seconds departure;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Seconds finish = timeline.spans[i].finish;
    const TaskletKind kind = graph.tasklet(TaskletId(i)).kind;
    if (kind == TaskletKind::backward || kind == TaskletKind::weight_gradient)
      phases.last_backward = std::max(phases.last_backward, finish);
    if (kind == TaskletKind::gradient_transfer || kind == TaskletKind::gradient_exchange ||
        kind == TaskletKind::parameter_transfer)
      phases.last_gradient = std::max(phases.last_gradient, finish);
    if (kind != TaskletKind::barrier) continue;
    Seconds& edge = seen < ranks ? arrival : departure;
    edge = std::max(edge, finish);
    if (++seen < 2 * ranks) continue;
    phases.barriers += departure - arrival;
    seen = 0;
    arrival = departure = Seconds();
  }
  return phases;
}

}  // namespace

Metrics metrics_of(const Job& job, const Plan& plan, const TaskletGraph& graph, const Timeline& timeline) {
  Metrics metrics;
  metrics.iteration = timeline.end;
  metrics.samples = find_workload_builder(plan.workload)->trains ? samples_per_iteration(plan) : 0;
  metrics.samples_per_second = static_cast<double>(metrics.samples) / timeline.end.value;
  metrics.flops = iteration_flops(job, metrics.samples);
  metrics.throughput = metrics.flops / timeline.end;
  metrics.tasklets = graph.size();

  Breakdown& parts = metrics.breakdown;
  const Phases phases = phases_of(graph, timeline, plan.ranks());
  parts.compute = mean_compute(graph, plan);
  parts.pipeline_bubble = critical_path(graph, computing_only(graph)).length - parts.compute;
  // An update may run beside another stage's sync, a barrier beside a late rank's work: what the free network needs as well
  // is never counted twice.
  const Seconds exposed = metrics.iteration - parts.compute - parts.pipeline_bubble;
  parts.exposed_gradient_sync = std::clamp(phases.last_gradient - phases.last_backward, Seconds(), exposed);
  parts.barriers = std::min(phases.barriers, exposed - parts.exposed_gradient_sync);
  parts.exposed_activation_transfer =
      metrics.iteration - parts.compute - parts.pipeline_bubble - parts.exposed_gradient_sync - parts.barriers;
  return metrics;
}

}  // namespace longhaul
