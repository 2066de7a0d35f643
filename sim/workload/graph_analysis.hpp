// Analyses of a tasklet graph.
#pragma once

#include <vector>

#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// The tasklets, each after its predecessors. Throws InternalError that names a cycle, tasklet by tasklet, if there
/// is one.
std::vector<TaskletId> topological_order(const TaskletGraph& graph);

/// The longest chain of dependent tasklets and the time it takes.
struct CriticalPath {
  Seconds length;
  std::vector<TaskletId> tasklets;  // from the first to the last
};

/// `durations` by tasklet id. Streams are not part of the graph: a transfer that queues behind another is late
/// without being on a longer path.
CriticalPath critical_path(const TaskletGraph& graph, const std::vector<Seconds>& durations);

}  // namespace longhaul
