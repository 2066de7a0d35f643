// Local search on placements, judged by simulation.
#pragma once

#include "scheduler/plan_trials.hpp"
#include "sim/base/random.hpp"

namespace longhaul {

/// A plan with its estimated seconds.
struct TriedPlan {
  Plan plan;
  Seconds seconds;
};

/// Tries `steps` changes, one after the other: swaps of two ranks, stages, regions, or of two replicas' later stages; layers
/// that move to another stage; of plans whose replicas differ what change_uneven says. A change stays if the plan gets faster, or slower by no more than a share that shrinks to
/// nothing (threshold accepting, Dueck and Scheuer 1990). Returns the best plan met; stops early when the trials are exhausted.
/// Orders of rings are made anew for each placement if the plan has some.
TriedPlan climb(const Problem& problem, const TriedPlan& start, std::size_t steps, PlanTrials& trials,
                RandomStream& random);

/// Every placement, for platforms of so few devices that they can be counted out.
constexpr std::size_t most_enumerated_devices = 6;
TriedPlan best_of_all_placements(const Problem& problem, const TriedPlan& start, PlanTrials& trials);

}  // namespace longhaul
