// Which ranks work together, and at what.
#pragma once

#include <vector>

#include "sim/description/job.hpp"
#include "sim/workload/rank_layout.hpp"

namespace longhaul {

enum class GroupKind {
  tensor,  // the slices of a stage, which sum their results after every layer
  context,  // the ranks of a slice of a stage among which sequences are cut, which gather keys and values in every layer
  pipeline,  // the stages of a replica, which send each other activations; slice by slice where all have as many
  expert,    // the ranks of neighbouring replicas that hold the experts of a stage, and send each other tokens
  data,      // one rank of every replica that hold the same parameters and synchronise their gradients (SyncTeam)
};

struct RankGroup {
  GroupKind kind = GroupKind::tensor;
  std::vector<RankId> ranks;
  Bytes gradient;  // of each member, of a data group
};

/// All groups of more than one rank: tensor and context groups stage by stage, pipelines, expert groups, data groups.
std::vector<RankGroup> rank_groups(const Job& job, const Plan& plan);

/// "tensor", "context", "pipeline", "expert", "data"
const char* name_of(GroupKind kind);

}  // namespace longhaul
