// What a plan can decide: the points from which a search by simulation starts.
#pragma once

#include <vector>

#include "scheduler/plan_trials.hpp"

namespace longhaul {

/// What the search may not touch, beyond what scheduler.keep says: where computing times, activations or gradients are given
/// for one stage and micro-batch, degrees and micro-batches stay; a benchmark of the network keeps all but the placement.
Keep kept(const Problem& problem);

/// Plans without placement that train as many sequences as the problem's: its degrees, micro-batches and schedule, and, where
/// they are not kept, all others with whole numbers in them: pipelines x replicas, micro-batches of 1 to 16 sequences, every
/// schedule (interleaved over the chunks of the problem's plan, if it has any), no barriers, as one pass or as few as fit the memory. The problem's own comes first.
std::vector<Plan> plan_shapes(const Problem& problem, const PlanTrials& trials);

/// The plan placed on consecutive devices along a short path through the regions, both ways, and in the platform's own order:
/// stage by stage, so that the replicas of a stage are near each other; replica by replica, so that the stages of a replica are;
/// and in blocks of replicas between the two.
std::vector<Plan> placements_along_path(const Problem& problem, const Plan& shape);

/// The plan with other ways to synchronise gradients: every collective that does, in the order of replicas and along short
/// tours, whole and in parts that overlap backward. Empty where there is nothing to choose.
std::vector<Plan> sync_choices(const Problem& problem, const Plan& plan);

}  // namespace longhaul
