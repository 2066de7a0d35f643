#include "sim/workload/sync_team.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace longhaul {
namespace {

// What a piece is of all parameters of its stage that are, or are not, those of experts.
struct Shares {
  double common = 1;
  double experts = 1;
};

Shares shares_of(const Job& job, const StageLoad& load, const SyncGroup& group, bool all) {
  if (all) return {};
  const double experts = expert_parameters_per_layer(job.model) * static_cast<double>(group.layers);
  if (experts == 0) return {group.gradient_share, 0};
  return {(load.parameters * group.gradient_share - experts) / (load.parameters - load.expert_parameters),
          experts / load.expert_parameters};
}

class TeamsOfStages {
 public:
  TeamsOfStages(const Job& job, const Plan& plan, const RankLayout& layout)
      : job_(job),
        plan_(plan),
        layout_(layout),
        loads_(stage_loads(job, plan.layers_per_stage, plan.micro_batch_size)) {
    for (std::size_t stage = 0; stage < loads_.size(); ++stage)
      groups_.push_back(sync_groups_of(job, plan, Stage(stage)));
  }

  SyncTeams build() {
    for (std::size_t replica = 0; replica < plan_.degrees.data; ++replica)
      result_.groups.insert(result_.groups.end(), groups_.begin(), groups_.end());
    each_slice([&](std::size_t stage, std::size_t slice) { add_team(stage, slice, 0, 1); });
    if (plan_.expert == 1 || plan_.expert == plan_.degrees.copies()) return result_;
    each_slice([&](std::size_t stage, std::size_t slice) {
      for (std::size_t first = 0; first < plan_.expert; ++first) add_team(stage, slice, first, plan_.expert);
    });
    return result_;
  }

 private:
  template <class Visit>
  void each_slice(Visit visit) {
    for (std::size_t stage = 0; stage < loads_.size(); ++stage)
      for (std::size_t slice = 0; slice < plan_.degrees.tensor; ++slice) visit(stage, slice);
  }

  // Of all replicas what is not divided, or of every `step`-th the experts that they hold.
  void add_team(std::size_t stage, std::size_t slice, std::size_t first, std::size_t step) {
    const StageLoad& load = loads_[stage];
    const bool of_experts = step > 1;
    const double experts = plan_.expert == 1 ? 0 : load.expert_parameters / load.parameters;
    const double part = of_experts ? experts / static_cast<double>(step) : 1 - experts;
    SyncTeam team;
    team.gradient = load.gradient / static_cast<double>(plan_.degrees.tensor) * part;
    team.ranks = layout_.copies(Stage(stage), slice, Replica(first), step);
    for (std::size_t group = 0; group < groups_[stage].size(); ++group) {
      const Shares shares = shares_of(job_, load, groups_[stage][group], groups_[stage].size() == 1);
      const double whole = plan_.expert == 1 ? groups_[stage][group].gradient_share : shares.common;
      team.pieces.push_back(
          {of_experts ? shares.experts : whole, std::vector<std::size_t>(team.ranks.size(), group)});
    }
    result_.teams.push_back(team);
  }

  const Job& job_;
  const Plan& plan_;
  const RankLayout& layout_;
  std::vector<StageLoad> loads_;
  std::vector<std::vector<SyncGroup>> groups_;  // of each stage
  SyncTeams result_;
};

// Layers [begin, end) of the model that no replica's stages divide.
struct Segment {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::size_t> pieces;  // layers of its sync groups, from the first to the last
};

std::vector<Segment> segments_of(const Plan& plan) {
  std::set<std::size_t> ends;
  for (const PipelinePlan& pipeline : plan.pipelines) {
    std::size_t end = 0;
    for (const std::size_t layers : pipeline.layers) ends.insert(end += layers);
  }
  std::vector<Segment> segments;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    segments.push_back({begin, end, even_layers(end - begin, std::min(plan.sync_groups, end - begin))});
    begin = end;
  }
  return segments;
}

double parameters_of(const Job& job, const Segment& segment) {
  double parameters = parameters_per_layer(job.model) * static_cast<double>(segment.end - segment.begin);
  if (segment.begin == 0) parameters += embedding_parameters(job.model);
  if (segment.end == static_cast<std::size_t>(job.model.layers)) parameters += head_parameters(job.model);
  return parameters;
}

class TeamsOfSegments {
 public:
  TeamsOfSegments(const Job& job, const Plan& plan, const RankLayout& layout)
      : job_(job), plan_(plan), layout_(layout), segments_(segments_of(plan)) {}

  SyncTeams build() {
    const StagePlans plans(plan_, layout_);
    for (std::size_t cell = 0; cell < layout_.cells(); ++cell) result_.groups.push_back(groups_of(plans, cell));
    for (const Segment& segment : segments_) add_teams(segment);
    return result_;
  }

 private:
  // Of one stage, from the last layer to the first; all of it in one where gradients are not synchronised apart.
  std::vector<SyncGroup> groups_of(const StagePlans& plans, std::size_t cell) const {
    const Replica replica = layout_.replica_of_cell(cell);
    const Stage stage = layout_.stage_of_cell(cell);
    const std::vector<std::size_t>& layers = plan_.pipelines[replica.value].layers;
    if (plan_.sync_groups == 1) {
      SyncGroup all;
      all.layers = layers[stage.value];
      return {all};
    }
    const std::size_t begin = std::accumulate(layers.begin(), layers.begin() + stage.value, std::size_t{0});
    std::vector<std::size_t> sizes;
    for (const Segment& segment : segments_)
      if (segment.begin >= begin && segment.end <= begin + layers[stage.value])
        sizes.insert(sizes.end(), segment.pieces.begin(), segment.pieces.end());
    std::vector<SyncGroup> groups = cut_stage(job_, plans.of_cell(cell), stage, sizes);
    std::reverse(groups.begin(), groups.end());
    return groups;
  }

  // The stage of a replica that holds the segment, and how many sync groups of it come after the segment's own.
  struct Holder {
    Stage stage;
    std::size_t groups_after = 0;
  };
  Holder holder_of(Replica replica, const Segment& segment) const {
    const std::vector<std::size_t>& layers = plan_.pipelines[replica.value].layers;
    std::size_t stage = 0;
    std::size_t end = layers[0];
    while (end < segment.end) end += layers[++stage];
    Holder holder{Stage(stage), 0};
    for (const Segment& other : segments_)
      if (other.begin >= segment.end && other.end <= end) holder.groups_after += other.pieces.size();
    return holder;
  }

  void add_teams(const Segment& segment) {
    std::vector<Holder> holders;
    std::size_t shards = 1;
    for (std::size_t replica = 0; replica < layout_.replicas(); ++replica) {
      holders.push_back(holder_of(Replica(replica), segment));
      shards = std::lcm(shards, layout_.slices(Replica(replica), holders.back().stage));
    }
    SyncTeam team;
    const Bytes gradient(parameters_of(job_, segment) * job_.value_bytes());
    team.gradient = gradient / static_cast<double>(shards);
    team.pieces = pieces_of(segment, holders);
    for (std::size_t shard = 0; shard < shards; ++shard) {
      team.ranks.clear();
      for (std::size_t replica = 0; replica < holders.size(); ++replica) {
        const Stage stage = holders[replica].stage;
        const std::size_t slice = shard * layout_.slices(Replica(replica), stage) / shards;
        team.ranks.push_back(layout_.rank(Replica(replica), stage, slice));
      }
      result_.teams.push_back(team);
    }
  }

  std::vector<SyncTeam::Piece> pieces_of(const Segment& segment, const std::vector<Holder>& holders) const {
    if (plan_.sync_groups == 1) return {{1, std::vector<std::size_t>(holders.size(), 0)}};
    std::vector<SyncTeam::Piece> pieces;
    std::size_t end = segment.end;
    for (std::size_t i = segment.pieces.size(); i-- > 0;) {
      const Segment part{end - segment.pieces[i], end, {}};
      end = part.begin;
      SyncTeam::Piece piece{parameters_of(job_, part) / parameters_of(job_, segment), {}};
      for (const Holder& holder : holders) piece.group.push_back(holder.groups_after + pieces.size());
      pieces.push_back(piece);
    }
    return pieces;
  }

  const Job& job_;
  const Plan& plan_;
  const RankLayout& layout_;
  std::vector<Segment> segments_;
  SyncTeams result_;
};

}  // namespace

SyncTeams sync_teams(const Job& job, const Plan& plan, const RankLayout& layout) {
  return plan.pipelines.empty() ? TeamsOfStages(job, plan, layout).build()
                                : TeamsOfSegments(job, plan, layout).build();
}

}  // namespace longhaul
