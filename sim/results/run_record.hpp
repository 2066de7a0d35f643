// Everything about one run that is worth keeping, as a plain value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/results/metrics.hpp"
#include "sim/workload/compute_origin.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// What DT-FM's cost model says about the plan, whoever made it; it knows plans whose replicas have as many ranks each.
struct PlanCost {
  Seconds data_parallel;
  Seconds pipeline;
  Seconds total() const { return data_parallel + pipeline; }
};

/// Several iterations one after another. The metrics are those of the last one, from its first start to its end.
struct Iterations {
  std::size_t count = 1;
  Seconds mean;  // the end of the last, divided by their number
};

struct RunRecord {
  std::string scenario;
  std::string scheduler;
  std::uint64_t seed = 0;
  Plan plan;
  std::optional<PlanCost> cost;
  std::size_t evaluations = 0;           // cost evaluations that the scheduler spent
  std::size_t best_evaluation = 0;       // at which it found its answer, from 1; 0 where nothing was searched
  std::string stage_order;               // how a search ordered groups of devices into stages; empty where it did not
  std::string reason;                    // why this plan, in words; may be empty
  std::vector<std::string> collectives;  // chosen by `auto`, of each team (sync_team.hpp)
  std::vector<StageMemory> memory;       // of a plan that trains, by stage
  std::vector<ComputeOrigin> computing;  // where a profile says how long computing takes
  std::optional<Metrics> metrics;        // none = planned, not simulated
  std::optional<Iterations> iterations;  // none = one
  std::string engine;                    // that simulated it: "simgrid" or "fast"
  std::optional<Seconds> fast_iteration;  // what the fast evaluator says, where it was asked
  std::string doubt;                      // why that one need not be SimGrid's; empty where it is
  std::optional<Seconds> recorded;        // seconds that somebody measured for this setting
  std::string recorded_source;
  std::optional<std::size_t> requested_batch;  // where it differs from what the plan trains
  Seconds planning_time;                       // wall clock, shown only on demand
  Seconds simulation_time;                     // wall clock, shown only on demand
};

}  // namespace longhaul
