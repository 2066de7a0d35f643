#include "sim/workload/rank_groups.hpp"

#include <algorithm>

#include "sim/workload/sync_team.hpp"

namespace longhaul {
namespace {

class GroupsOfPlan {
 public:
  GroupsOfPlan(const Job& job, const Plan& plan) : job_(job), plan_(plan), layout_(plan) {}

  std::vector<RankGroup> build() {
    for (std::size_t cell = 0; cell < layout_.cells(); ++cell) add_stage(cell);
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

  void add_stage(std::size_t cell) {
    const Replica replica = layout_.replica_of_cell(cell);
    const Stage stage = layout_.stage_of_cell(cell);
    const std::size_t slices = layout_.slices(replica, stage);
    const auto add_some = [&](GroupKind kind, std::size_t first, std::size_t step, std::size_t count) {
      RankGroup group{kind, {}, {}};
      for (std::size_t i = 0; i < count; ++i) group.ranks.push_back(layout_.rank(replica, stage, first + i * step));
      add(group);
    };
    for (std::size_t part = 0; part < layout_.parts(); ++part) add_some(GroupKind::tensor, part * slices, 1, slices);
    for (std::size_t slice = 0; slice < slices; ++slice) add_some(GroupKind::context, slice, slices, layout_.parts());
  }

  void add_pipelines(Replica replica) {
    std::vector<std::size_t> ranks;  // of each stage
    for (std::size_t stage = 0; stage < layout_.stages(replica); ++stage)
      ranks.push_back(layout_.ranks_of_stage(replica, Stage(stage)));
    if (ranks.size() == 1) return;
    const bool as_many =
        std::all_of(ranks.begin(), ranks.end(), [&](std::size_t count) { return count == ranks[0]; });
    for (std::size_t member = 0; member < (as_many ? ranks[0] : 1); ++member) {
      RankGroup group{GroupKind::pipeline, {}, {}};
      for (std::size_t stage = 0; stage < ranks.size(); ++stage)
        for (std::size_t own = as_many ? member : 0; own < (as_many ? member + 1 : ranks[stage]); ++own)
          group.ranks.push_back(layout_.rank(replica, Stage(stage), own));
      add(group);
    }
  }

  void add_experts() {
    for (std::size_t first = 0; first < layout_.replicas(); first += plan_.expert)
      for (std::size_t stage = 0; stage < plan_.degrees.pipeline; ++stage)
        for (std::size_t member = 0; member < plan_.degrees.ranks_of_stage(); ++member) {
          RankGroup group{GroupKind::expert, {}, {}};
          for (std::size_t i = 0; i < plan_.expert; ++i)
            group.ranks.push_back(layout_.rank(Replica(first + i), Stage(stage), member));
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
  static const char* const names[] = {"tensor", "context", "pipeline", "expert", "data"};
  return names[static_cast<int>(kind)];
}

}  // namespace longhaul
