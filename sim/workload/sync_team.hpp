// Who synchronises gradients with whom: the ranks that hold the same part of the model.
#pragma once

#include <vector>

#include "sim/workload/rank_layout.hpp"
#include "sim/workload/sync_group.hpp"

namespace longhaul {

/// One rank of every replica (with context parallelism one for each part of its sequences), all of which hold the same parameters; of experts, of every replica that holds the same ones.
struct SyncTeam {
  /// Layers whose gradients are synchronised by one call.
  struct Piece {
    double share = 1;                // of the team's gradients
    std::vector<std::size_t> group;  // per member: the sync group of its stage that completes them
  };
  std::vector<RankId> ranks;  // by replica
  Bytes gradient;             // of each member
  std::vector<Piece> pieces;  // in the order in which backward completes them: from the last layer to the first
};

struct SyncTeams {
  std::vector<std::vector<SyncGroup>> groups;  // of each stage of each replica (RankLayout::cells)
  std::vector<SyncTeam> teams;
};

/// Where replicas are alike, a team for each slice of each stage, numbered stage x tensor + slice; behind these, where experts are
/// divided among plan.expert replicas, as many teams for each slice of each stage, of the replicas that are the same
/// number modulo plan.expert (where there is more than one). Where they differ, the model is
/// cut wherever any replica has a stage's end; each piece, cut into as many slices as all its holders' degrees divide, has a
/// team (layer by layer between whoever holds the layer). Pieces are cut into at most plan.sync_groups sync groups.
SyncTeams sync_teams(const Job& job, const Plan& plan, const RankLayout& layout);

}  // namespace longhaul
