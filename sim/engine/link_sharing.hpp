// Finds, after a run in which every transfer had its path to itself, whether it really had.
#pragma once

#include <optional>
#include <string>

#include "sim/description/platform_loader.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/tasklet_graph.hpp"
#include "sim/workload/transport.hpp"

namespace longhaul {

/// The first moment at which transfers need more of a link than it has: none proves that each gets its path's full
/// bandwidth, so that sharing changes nothing. Links that one sender or one receiver uses alone need no look: a stream
/// serves one transfer at a time.
struct Congestion {
  std::string link;
  Seconds begin;
};
std::optional<Congestion> find_congestion(const Platform& platform, const TaskletGraph& graph,
                                          const Timeline& timeline, const NetworkModel& network);

}  // namespace longhaul
