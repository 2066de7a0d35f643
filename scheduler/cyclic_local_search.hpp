// One pass of circular Kernighan-Lin local search over a balanced partition, after Kang and Moon (2000), with the
// gain of DT-FM (arXiv 2206.01288, section 3.4) or with the plain one that the paper compares against.
#pragma once

#include <vector>

#include "scheduler/cost_model.hpp"
#include "scheduler/partition.hpp"

namespace longhaul {

enum class Gain {
  /// DT-FM's. (d1, d2) is the fastest link inside group j, (d1', d2') the fastest inside j', w the pipeline edge:
  ///   mean over d'' in j' of w(d1, d'') - w(d1, d2)  +  mean over d'' in j of w(d1', d'') - w(d1', d2'),
  /// the best of the four pairs of ends. A fast link inside a group is wasted on data parallelism: free it.
  kFastestLink,
  /// Kernighan and Lin's on the edge weights pipeline - data parallel: by how much the weight of the cut between the
  /// groups falls when one device moves.
  kCutWeight,
};

/// Moves devices in cycles j -> j' -> ... -> j: one device leaves a group for the group of the largest gain and is
/// locked, the next leaves from there, until a move ends in the group that the cycle began with. A cycle begins in
/// the group with the largest gain among those that no cycle has passed through; the pass ends when there is none
/// left, or when a cycle cannot close for want of unlocked devices. Of all cycles the prefix with the largest sum of
/// gains is kept: perhaps none, of equal sums the longest. Ties between moves go to the lower group, then to the
/// device found first.
class CyclicLocalSearch {
 public:
  /// `matrices` must outlive this object.
  CyclicLocalSearch(const CostMatrices& matrices, std::size_t groups, Gain gain);

  /// The partition after one pass. Its cost may be higher: the gains only estimate it.
  Partition improve(const Partition& start);

 private:
  struct Link {  // the fastest link inside a group that has an end which may move
    std::uint32_t ends[2] = {0, 0};
    bool movable[2] = {false, false};
    double weight = 0;  // 0 for a device alone in its group
  };
  struct Move {
    bool possible = false;
    std::uint32_t device = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double gain = 0;      // of this move; adds up along a cycle
    double estimate = 0;  // the gain and, for kFastestLink, that of the best answer: what moves are chosen by
  };

  void load(const Partition& start);
  void find_fastest_link(std::uint32_t group);
  double mean(std::uint32_t device, std::uint32_t group) const;
  double best_answer(std::uint32_t from, std::uint32_t to) const;
  void consider(const Move& move, Move& best) const;
  Move best_move(std::uint32_t from) const;
  void apply(const Move& move);
  bool run_cycle(const Move& opening, std::vector<bool>& visited, std::vector<Move>& moves);

  const CostMatrices& matrices_;
  std::size_t groups_;
  Gain gain_;
  std::vector<double> weight_;  // what the gain is about: pipeline edges, less the data-parallel ones for kCutWeight
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<bool> locked_;
  std::vector<double> sums_;   // device x group: sum of weight_ from the device to the members of the group
  std::vector<Link> fastest_;  // per group, kept for kFastestLink only
};

}  // namespace longhaul
