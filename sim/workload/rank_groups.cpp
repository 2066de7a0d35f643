#include "sim/workload/rank_groups.hpp"

#include <algorithm>

#include "sim/workload/sync_team.hpp"

namespace longhaul {
namespace {

class GroupsOfPlan {
 public:
  GroupsOfPlan(const Job& job, const Plan& plan) : job_(job), plan_(plan), layout_(plan) {}

  std::vector<RankGroup> build() {
    for (std::size_t cell = 0; cell < layout_.cells(); ++cell) add_slices(cell);
    for (std::size_t replica = 0; replica < layout_.replicas(); ++replica) add_pipelines(Replica(replica));
    if (plan_.expert > 1) add_experts();
    for (const SyncTeam& team : sync_teams(job_, plan_, layout_).teams)
      add({GroupKind::data, team.ranks, team.gradient});
    return groups_;
  }

 private:
  void add(const RankGroup& group) {
    if (group.ranks.size() > 1) groups_.push_back(group);
  }

  void add_slices(std::size_t cell) {
    const Replica replica = layout_.replica_of_cell(cell);
    const Stage stage = layout_.stage_of_cell(cell);
    RankGroup group{GroupKind::tensor, {}, {}};
    for (std::size_t slice = 0; slice < layout_.slices(replica, stage); ++slice)
      group.ranks.push_back(layout_.rank(replica, stage, slice));
    add(group);
  }

  void add_pipelines(Replica replica) {
    const std::vector<std::size_t> slices = plan_.pipeline(replica).tensor;
    if (slices.size() == 1) return;
    const bool as_many =
        std::all_of(slices.begin(), slices.end(), [&](std::size_t count) { return count == slices[0]; });
    for (std::size_t slice = 0; slice < (as_many ? slices[0] : 1); ++slice) {
      RankGroup group{GroupKind::pipeline, {}, {}};
      for (std::size_t stage = 0; stage < slices.size(); ++stage)
        for (std::size_t own = as_many ? slice : 0; own < (as_many ? slice + 1 : slices[stage]); ++own)
          group.ranks.push_back(layout_.rank(replica, Stage(stage), own));
      add(group);
    }
  }

  void add_experts() {
    for (std::size_t first = 0; first < layout_.replicas(); first += plan_.expert)
      for (std::size_t stage = 0; stage < plan_.degrees.pipeline; ++stage)
        for (std::size_t slice = 0; slice < plan_.degrees.tensor; ++slice) {
          RankGroup group{GroupKind::expert, {}, {}};
          for (std::size_t i = 0; i < plan_.expert; ++i)
            group.ranks.push_back(layout_.rank(Replica(first + i), Stage(stage), slice));
          add(group);
        }
  }

  const Job& job_;
  const Plan& plan_;
  RankLayout layout_;
  std::vector<RankGroup> groups_;
};

}  // namespace

std::vector<RankGroup> rank_groups(const Job& job, const Plan& plan) { return GroupsOfPlan(job, plan).build(); }

const char* name_of(GroupKind kind) {
  static const char* const names[] = {"tensor", "pipeline", "expert", "data"};
  return names[static_cast<int>(kind)];
}

}  // namespace longhaul
