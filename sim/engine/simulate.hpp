// The engines: a workload on a platform, with SimGrid, or without where nothing is shared.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/description/network_model.hpp"
#include "sim/description/platform_loader.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/tasklet_graph.hpp"
#include "sim/workload/workload.hpp"

namespace longhaul {

/// Simulates `workload` on `platform` and says when each tasklet started and ended.
///
/// Every device has a compute, a send and a receive stream. Each serves one tasklet at a time, first come, first
/// served; a transfer holds the sender's send stream and the receiver's receive stream while its bytes pass. Links
/// carry the transfers of all devices as SimGrid shares them.
///
/// A pure function to its callers: SimGrid runs in a forked child. `progress`, if set, is told the fraction of
/// tasklets finished. Throws UserError when the workload cannot progress (naming what waits for what), when
/// the platform changes in a way that is not simulated (a device's speed, something going down), and when SimGrid fails.
Timeline simulate(const Platform& platform, Workload& workload, const NetworkModel& network,
                  const std::function<void(double)>& progress = nullptr);

enum class Engine {
  automatic,  // the fast evaluator where it is exact, else SimGrid
  simgrid,
  fast,  // the fast evaluator, exact or not
  both,  // SimGrid, and what the fast evaluator says
};

struct Simulated {
  Timeline timeline;
  Engine engine = Engine::simgrid;  // whose timeline it is: simgrid or fast
  std::optional<Seconds> fast_end;  // where it was asked for: the end that the fast evaluator finds
  std::string doubt;                // why that one need not be SimGrid's, in words; empty where it is, to 1e-9
};

/// Simulates a static graph with the engine that is asked for.
///
/// The fast evaluator (fast_evaluator.hpp) is exact when the run itself shows that no transfer had to share a link
/// (link_sharing.hpp) and that no order was left to chance. It needs raw equations and links that never change: for anything
/// else `fast` is a UserError, and `automatic` and `both` take SimGrid alone.
Simulated simulate(const Platform& platform, const TaskletGraph& graph, const NetworkModel& network, Engine engine,
                   const std::function<void(double)>& progress = nullptr);

}  // namespace longhaul
