#include "scheduler/cyclic_local_search.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {

CyclicLocalSearch::CyclicLocalSearch(const CostMatrices& matrices, std::size_t groups, Gain gain)
    : matrices_(matrices),
      groups_(groups),
      gain_(gain),
      weight_(matrices.pipeline),
      members_(groups),
      locked_(matrices.size),
      sums_(matrices.size * groups),
      fastest_(groups) {
  if (gain == Gain::kFastestLink) return;
  for (std::size_t edge = 0; edge < weight_.size(); ++edge) weight_[edge] -= matrices.data_parallel[edge];
}

Partition CyclicLocalSearch::improve(const Partition& start) {
  require(start.groups == groups_ && start.group_of_device.size() == matrices_.size,
          "the local search is for partitions of one shape");
  load(start);
  std::vector<bool> visited(groups_, false);
  std::vector<Move> moves;
  std::size_t kept = 0;
  double gains = 0;
  double best_gains = 0;
  for (;;) {
    Move opening;
    for (std::uint32_t group = 0; group < groups_; ++group)
      if (!visited[group]) consider(best_move(group), opening);
    if (!opening.possible) break;
    std::size_t counted = moves.size();
    if (!run_cycle(opening, visited, moves)) break;
    for (; counted < moves.size(); ++counted) gains += moves[counted].gain;
    if (gains >= best_gains) best_gains = gains, kept = moves.size();
  }
  Partition result = start;
  for (std::size_t i = 0; i < kept; ++i) result.group_of_device[moves[i].device] = moves[i].to;
  return result;
}

void CyclicLocalSearch::load(const Partition& start) {
  for (std::vector<std::uint32_t>& members : members_) members.clear();
  std::fill(locked_.begin(), locked_.end(), false);
  std::fill(sums_.begin(), sums_.end(), 0);
  for (std::uint32_t device = 0; device < matrices_.size; ++device) {
    members_[start.group_of_device[device]].push_back(device);
    double* sums = sums_.data() + device * groups_;
    const double* weights = weight_.data() + device * matrices_.size;
    for (std::size_t peer = 0; peer < matrices_.size; ++peer) sums[start.group_of_device[peer]] += weights[peer];
  }
  for (std::uint32_t group = 0; group < groups_; ++group) find_fastest_link(group);
}

void CyclicLocalSearch::find_fastest_link(std::uint32_t group) {
  if (gain_ != Gain::kFastestLink) return;
  const std::vector<std::uint32_t>& members = members_[group];
  Link fastest;
  bool found = false;
  if (members.size() == 1) fastest = {{members[0], members[0]}, {!locked_[members[0]], false}, 0};
  for (std::size_t i = 0; i < members.size(); ++i) {
    const double* weights = weight_.data() + members[i] * matrices_.size;
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      if (found && weights[members[j]] >= fastest.weight) continue;
      if (locked_[members[i]] && locked_[members[j]]) continue;
      fastest = {{members[i], members[j]}, {!locked_[members[i]], !locked_[members[j]]}, weights[members[j]]};
      found = true;
    }
  }
  fastest_[group] = fastest;
}

double CyclicLocalSearch::mean(std::uint32_t device, std::uint32_t group) const {
  if (members_[group].empty()) return 0;
  return sums_[device * groups_ + group] / static_cast<double>(members_[group].size());
}

// The largest gain of a device that would go from `to` to `from` in exchange.
double CyclicLocalSearch::best_answer(std::uint32_t from, std::uint32_t to) const {
  const Link& link = fastest_[to];
  if (!link.movable[0] && !link.movable[1]) return 0;
  if (!link.movable[0]) return mean(link.ends[1], from) - link.weight;
  if (!link.movable[1]) return mean(link.ends[0], from) - link.weight;
  return std::max(mean(link.ends[0], from), mean(link.ends[1], from)) - link.weight;
}

void CyclicLocalSearch::consider(const Move& move, Move& best) const {
  if (move.possible && (!best.possible || move.estimate > best.estimate)) best = move;
}

CyclicLocalSearch::Move CyclicLocalSearch::best_move(std::uint32_t from) const {
  Move best;
  for (std::uint32_t to = 0; to < groups_; ++to) {
    if (to == from) continue;
    if (gain_ == Gain::kFastestLink) {
      const Link& link = fastest_[from];
      const double answer = best_answer(from, to);
      for (std::size_t end = 0; end < 2; ++end) {
        if (!link.movable[end]) continue;
        const double gain = mean(link.ends[end], to) - link.weight;
        consider({true, link.ends[end], from, to, gain, gain + answer}, best);
      }
    } else {
      for (const std::uint32_t device : members_[from]) {
        if (locked_[device]) continue;
        const double gain = sums_[device * groups_ + to] - sums_[device * groups_ + from];
        consider({true, device, from, to, gain, gain}, best);
      }
    }
  }
  return best;
}

void CyclicLocalSearch::apply(const Move& move) {
  std::vector<std::uint32_t>& members = members_[move.from];
  members.erase(std::find(members.begin(), members.end(), move.device));
  members_[move.to].push_back(move.device);
  locked_[move.device] = true;
  const double* weights = weight_.data() + move.device * matrices_.size;
  for (std::size_t peer = 0; peer < matrices_.size; ++peer) {
    sums_[peer * groups_ + move.from] -= weights[peer];
    sums_[peer * groups_ + move.to] += weights[peer];
  }
  find_fastest_link(move.from);
  find_fastest_link(move.to);
}

// Appends the moves of one cycle; false when it could not close, and what it appended is then worthless.
bool CyclicLocalSearch::run_cycle(const Move& opening, std::vector<bool>& visited, std::vector<Move>& moves) {
  Move move = opening;
  for (;;) {
    apply(move);
    moves.push_back(move);
    visited[move.from] = true;
    if (move.to == opening.from) return true;
    move = best_move(move.to);
    if (!move.possible) return false;
  }
}

}  // namespace longhaul
