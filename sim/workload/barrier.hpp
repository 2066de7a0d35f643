// A global barrier as tasklets.
#pragma once

#include <vector>

#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// Dissemination barrier over all ranks (Hensgen, Finkel and Manber 1988; gloo's): in round k of ceil(log2 n), rank i
/// tells rank i + 2^k. Rank i arrives when all of `before[i]` are finished; the result is the tasklet after which it
/// leaves. `devices[i]` is where rank i runs.
std::vector<TaskletId> emit_barrier(const std::vector<DeviceId>& devices,
                                    const std::vector<std::vector<TaskletId>>& before, TaskletGraphBuilder& graph);

}  // namespace longhaul
