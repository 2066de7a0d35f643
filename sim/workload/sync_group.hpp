// Gradient sync split by layers, so that it overlaps the end of backward.
#pragma once

#include <vector>

#include "sim/workload/stage_part.hpp"

namespace longhaul {

/// Neighbouring layers of one stage whose gradients are synchronised together.
using SyncGroup = StagePart;

/// min(plan.sync_groups, layers of the stage) groups, as even as whole layers allow, in the order in which backward
/// completes them: from the last layer to the first; with virtual stages as many for each chunk. One group of all where there
/// are no replicas to synchronise with.
std::vector<SyncGroup> sync_groups_of(const Job& job, const Plan& plan, Stage stage);

}  // namespace longhaul
