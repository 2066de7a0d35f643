// What a timeline amounts to: seconds per iteration, throughput, and where the time goes.
#pragma once

#include "sim/description/job.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// The iteration's seconds, split. The five parts add up to the iteration time.
///   compute             busy time of a device, mean over the devices
///   pipeline bubble     (iteration with a network that costs nothing) - compute
///   exposed gradient sync  from the last backward's end to the last gradient's arrival, of the whole job
///   barriers            from the last rank's arrival at a barrier to its last departure, summed over the barriers
///   exposed activation transfer  the rest: what waiting for activations adds to the pipeline, handling included
struct Breakdown {
  Seconds compute;
  Seconds pipeline_bubble;
  Seconds exposed_activation_transfer;
  Seconds exposed_gradient_sync;
  Seconds barriers;
};

struct Metrics {
  Seconds iteration;
  std::size_t samples = 0;  // sequences trained
  double samples_per_second = 0;
  Flops flops;                // as iteration_flops counts
  FlopsPerSecond throughput;  // flops / iteration
  std::size_t tasklets = 0;
  Breakdown breakdown;
};

Metrics metrics_of(const Job& job, const Plan& plan, const TaskletGraph& graph, const Timeline& timeline);

}  // namespace longhaul
