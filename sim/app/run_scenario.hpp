// The heart of the program: what happens between a scenario and its results. Reads like the data flow in
// ARCHITECTURE.md.
#pragma once

#include <functional>
#include <string>

#include "scheduler/scheduler.hpp"
#include "sim/description/platform_loader.hpp"
#include "sim/description/scenario.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/results/run_record.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// Told what is being done and how far it is, in [0, 1].
using Progress = std::function<void(const std::string& what, double fraction)>;

/// A planned scenario.
struct PlannedRun {
  Platform platform;
  RunRecord record;  // without metrics
};

/// A planned and simulated scenario.
struct SimulatedRun {
  Platform platform;
  TaskletGraph graph;
  Timeline timeline;
  RunRecord record;
};

PlannedRun plan_scenario(const Scenario& scenario, const Progress& progress);
SimulatedRun run_scenario(const Scenario& scenario, const Progress& progress, Engine engine = Engine::automatic);

/// The platform that the scenario names or describes.
Platform platform_of(const Scenario& scenario);

/// The scheduler that the scenario names. UserError listing the known ones if there is none.
const Scheduler& scheduler_of(const Scenario& scenario);

}  // namespace longhaul
