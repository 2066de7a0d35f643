#include "sim/workload/collective_workload.hpp"

#include "sim/base/error.hpp"
#include "sim/workload/sync_call.hpp"

namespace longhaul {

TaskletGraph collective_tasklets(const Job& job, const Plan& plan, const PlatformView& platform,
                                 const NetworkModel& network) {
  const Collective* collective = find_collective(plan.gradient_sync);
  require(collective != nullptr, "the plan names no collective");
  std::vector<RankId> ranks;
  for (std::size_t rank = 0; rank < plan.ranks(); ++rank) ranks.emplace_back(rank);
  CollectiveCall call = sync_call(plan, ranks, 0, plan.device_of_rank(), platform, network);
  const Bytes gradient = stage_loads(job, plan.layers_per_stage).front().gradient;
  call.bytes = compressed_bytes(plan.gradient_compression.over(reach_of(call)), gradient, job.value_bytes());
  TaskletGraphBuilder graph;
  if (call.ranks.size() > 1) collective->emit(call, graph);
  return graph.build();
}

}  // namespace longhaul
