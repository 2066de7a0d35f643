// Given durations sent through the queues of the streams once more, without a network.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/propagation.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// When the last tasklet finishes if each takes its duration and streams serve who comes first (sim/workload/streams.hpp).
/// Unlike in a propagation, a tasklet that comes earlier than it did may overtake. `served` settles who comes first at one
/// moment: by tasklet id, the smaller the earlier.
Seconds replay(const TaskletGraph& graph, const std::vector<Duration>& durations,
               const std::vector<std::uint32_t>& served);

}  // namespace longhaul
