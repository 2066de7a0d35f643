#include "sim/workload/collective_workload.hpp"

#include "sim/base/error.hpp"
#include "sim/workload/collective.hpp"

namespace longhaul {

TaskletGraph collective_tasklets(const Job& job, const Plan& plan, const PlatformView& /*platform*/,
                                 const NetworkModel& network) {
  const Collective* collective = find_collective(plan.gradient_sync);
  require(collective != nullptr, "the plan names no collective");
  CollectiveCall call;
  call.devices = plan.device_of_rank();
  for (std::size_t rank = 0; rank < call.devices.size(); ++rank) call.ranks.emplace_back(rank);
  call.bytes = stage_loads(job, plan.layers_per_stage).front().gradient;
  call.chunk = network.chunk;
  call.ring_chunk = network.ring_chunk;
  call.ready.assign(call.devices.size(), {});
  TaskletGraphBuilder graph;
  if (call.devices.size() > 1) collective->emit(call, graph);
  return graph.build();
}

}  // namespace longhaul
