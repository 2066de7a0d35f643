// Where devices differ: plans whose replicas differ, each on devices of its own kind.
#pragma once

#include <vector>

#include "scheduler/plan_trials.hpp"

namespace longhaul {

/// Placed plans that train as many sequences as the problem's, in one pass. Devices are divided into pools in up to three ways:
/// by region and type, by type, by region; each pool becomes pipelines of one length and tensor degree on neighbouring
/// devices, whose lengths are chosen for each pool among the few that promise most (pace_of); layers and micro-batches
/// are shared out by speed (balanced). Empty where devices are all of one type, degrees or micro-batches are kept, sequences are cut (plan.context), or
/// nothing fits.
std::vector<Plan> uneven_plans(const Problem& problem, const PlanTrials& trials);

}  // namespace longhaul
