// Gradient sync split by layers, so that it overlaps the end of backward.
#pragma once

#include <vector>

#include "sim/description/job.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// Neighbouring layers of one stage whose gradients are synchronised together.
struct SyncGroup {
  std::size_t layers = 0;
  double backward_share = 1;  // of the stage's backward, by FLOP
  double gradient_share = 1;  // of the stage's gradients, by parameters
};

/// min(plan.sync_groups, layers of the stage) groups, as even as whole layers allow, in the order in which backward
/// completes them: from the last layer to the first. The head belongs to the first group, the embeddings to the last.
/// One group where there are no replicas to synchronise with.
std::vector<SyncGroup> sync_groups_of(const Job& job, const Plan& plan, Stage stage);

}  // namespace longhaul
