// Where ranks stand: which stage of which replica, which part of its sequences and which slice, whether replicas are alike or not.
#pragma once

#include <vector>

#include "sim/workload/plan.hpp"

namespace longhaul {

/// Ranks are numbered replica by replica, stage by stage, part by part of the sequences (plan.context), slice by slice. For plans whose replicas are alike this is
/// Degrees::rank.
class RankLayout {
 public:
  explicit RankLayout(const Plan& plan);

  std::size_t ranks() const { return cell_of_rank_.size(); }
  std::size_t replicas() const { return first_cell_.size() - 1; }
  std::size_t stages(Replica replica) const { return first_cell_[replica.value + 1] - first_cell_[replica.value]; }
  /// Into how many slices the parameters of a stage are cut.
  std::size_t slices(Replica replica, Stage stage) const { return ranks_of_stage(replica, stage) / parts_; }
  /// Its slices, once for each part of the sequences: among so many it divides what it computes and its activations.
  std::size_t ranks_of_stage(Replica replica, Stage stage) const {
    const std::size_t number = cell(replica, stage);
    return first_rank_[number + 1] - first_rank_[number];
  }
  std::size_t parts() const { return parts_; }
  /// `member` of the stage's ranks: part x slices + slice.
  RankId rank(Replica replica, Stage stage, std::size_t member = 0) const {
    return RankId(first_rank_[cell(replica, stage)] + member);
  }
  /// Where replicas are alike, all that hold a slice's parameters, part by part, of the first replica and every `step`-th after it.
  std::vector<RankId> copies(Stage stage, std::size_t slice, Replica first = Replica(0), std::size_t step = 1) const;

  /// Stages of replicas are numbered too: all of the first replica, all of the second, and so on.
  std::size_t cells() const { return replica_of_cell_.size(); }
  std::size_t cell(Replica replica, Stage stage) const { return first_cell_[replica.value] + stage.value; }
  std::size_t cell(RankId rank) const { return cell_of_rank_[rank.value]; }
  Replica replica_of_cell(std::size_t cell) const { return replica_of_cell_[cell]; }
  Stage stage_of_cell(std::size_t cell) const { return Stage(cell - first_cell_[replica_of_cell_[cell].value]); }

  Replica replica(RankId rank) const { return replica_of_cell_[cell(rank)]; }
  Stage stage(RankId rank) const { return stage_of_cell(cell(rank)); }
  /// Its number among the stage's ranks.
  std::size_t member(RankId rank) const { return rank.value - first_rank_[cell(rank)]; }
  std::size_t slice(RankId rank) const { return member(rank) % slices(replica(rank), stage(rank)); }
  std::size_t part(RankId rank) const { return member(rank) / slices(replica(rank), stage(rank)); }

 private:
  std::size_t parts_;
  std::vector<std::size_t> first_cell_;  // of each replica, and the end
  std::vector<std::size_t> first_rank_;  // of each cell, and the end
  std::vector<Replica> replica_of_cell_;
  std::vector<std::size_t> cell_of_rank_;
};

/// A plan as each stage of each replica sees it: all replicas like its own, all stages cut into as many slices as it is. What a
/// stage computes, sends and keeps follows from that. Where replicas are alike it is the plan itself, of which a reference is kept.
class StagePlans {
 public:
  StagePlans(const Plan& plan, const RankLayout& layout);
  /// Not placed where replicas differ.
  const Plan& of_cell(std::size_t cell) const { return seen_.empty() ? plan_ : seen_[number_[cell]]; }

 private:
  const Plan& plan_;
  std::vector<Plan> seen_;           // each once
  std::vector<std::size_t> number_;  // of each cell, into seen_
};

}  // namespace longhaul
