// Changes of plans whose replicas differ.
#pragma once

#include "scheduler/scheduler.hpp"
#include "sim/base/random.hpp"

namespace longhaul {

/// One random change: two devices swap ranks, two replicas of as many ranks swap devices, a layer moves to another stage of its
/// replica, a few micro-batches move to another replica of the same size, a stage with its devices moves to another replica.
/// False if it would change nothing. Pins to device types are for PlanTrials::fits to refuse.
bool change_uneven(const Problem& problem, Plan& plan, RandomStream& random);

}  // namespace longhaul
