#include "sim/workload/collective_workload.hpp"

#include "sim/base/error.hpp"
#include "sim/workload/sync_call.hpp"

namespace longhaul {

TaskletGraph collective_tasklets(const Job& job, const Plan& plan, const PlatformView& platform,
                                 const NetworkModel& network) {
  const Collective* collective = find_collective(plan.gradient_sync);
  require(collective != nullptr, "the plan names no collective");
  CollectiveCall call = sync_call(plan, plan.device_of_rank(), platform, network, Stage(0), 0);
  const Bytes gradient = stage_loads(job, plan.layers_per_stage).front().gradient;
  call.bytes = compressed_bytes(plan.gradient_compression.over(reach_of(call)), gradient, job.value_bytes());
  TaskletGraphBuilder graph;
  if (call.ranks.size() > 1) collective->emit(call, graph);
  return graph.build();
}

}  // namespace longhaul
