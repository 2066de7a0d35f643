#include "scheduler/open_path.hpp"

#include <algorithm>
#include <limits>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double length_of(const double* edges, std::size_t groups, const std::vector<std::uint32_t>& order) {
  double length = 0;
  for (std::size_t i = 1; i < order.size(); ++i) length += edges[order[i - 1] * groups + order[i]];
  return length;
}

std::vector<std::uint32_t> nearest_neighbour_path(const double* edges, std::size_t groups, std::uint32_t start) {
  std::vector<std::uint32_t> order{start};
  std::vector<bool> used(groups, false);
  used[start] = true;
  while (order.size() < groups) {
    const double* from = edges + order.back() * groups;
    std::size_t nearest = groups;
    for (std::size_t group = 0; group < groups; ++group)
      if (!used[group] && (nearest == groups || from[group] < from[nearest])) nearest = group;
    used[nearest] = true;
    order.push_back(static_cast<std::uint32_t>(nearest));
  }
  return order;
}

// The edge between positions, 0 beyond either end of the path.
class Hops {
 public:
  Hops(const double* edges, std::size_t groups, const std::vector<std::uint32_t>& order)
      : edges_(edges), groups_(groups), order_(order) {}
  double operator()(std::ptrdiff_t a, std::ptrdiff_t b) const {
    const auto end = static_cast<std::ptrdiff_t>(groups_);
    if (a < 0 || b < 0 || a >= end || b >= end) return 0;
    return edges_[order_[a] * groups_ + order_[b]];
  }

 private:
  const double* edges_;
  std::size_t groups_;
  const std::vector<std::uint32_t>& order_;
};

// Gains below this share of the path are rounding, not progress.
constexpr double kLeastGain = 1e-12;

// Reverses the first stretch whose reversal shortens the path.
bool apply_two_opt(const double* edges, std::size_t groups, double least_gain, std::vector<std::uint32_t>& order) {
  const Hops hop(edges, groups, order);
  const auto end = static_cast<std::ptrdiff_t>(groups);
  for (std::ptrdiff_t first = 0; first < end; ++first) {
    for (std::ptrdiff_t last = first + 1; last < end; ++last) {
      const double gain = hop(first - 1, first) + hop(last, last + 1) - hop(first - 1, last) - hop(first, last + 1);
      if (gain <= least_gain) continue;
      std::reverse(order.begin() + first, order.begin() + last + 1);
      return true;
    }
  }
  return false;
}

// Moves the first stretch of one to three groups that shortens the path elsewhere, either way round.
bool apply_or_opt(const double* edges, std::size_t groups, double least_gain, std::vector<std::uint32_t>& order) {
  const Hops hop(edges, groups, order);
  const auto end = static_cast<std::ptrdiff_t>(groups);
  for (std::ptrdiff_t length = 1; length <= 3; ++length) {
    for (std::ptrdiff_t first = 0; first + length <= end; ++first) {
      const std::ptrdiff_t last = first + length - 1;
      const double closed = hop(first - 1, first) + hop(last, last + 1) - hop(first - 1, last + 1);
      for (std::ptrdiff_t before = -1; before < end; ++before) {  // between positions before and before + 1
        if (before >= first - 1 && before <= last) continue;
        const double opened = closed + hop(before, before + 1);
        const double kept = opened - hop(before, first) - hop(last, before + 1);
        const double turned = opened - hop(before, last) - hop(first, before + 1);
        if (std::max(kept, turned) <= least_gain) continue;
        if (turned > kept) std::reverse(order.begin() + first, order.begin() + last + 1);
        if (before < first)
          std::rotate(order.begin() + before + 1, order.begin() + first, order.begin() + last + 1);
        else
          std::rotate(order.begin() + first, order.begin() + last + 1, order.begin() + before + 1);
        return true;
      }
    }
  }
  return false;
}

constexpr std::size_t kFewLanes = 8;
constexpr std::size_t kMostLanes = 16;

// Four lanes at a time; the compiler makes the instructions of the processor of it.
using Lanes [[gnu::vector_size(4 * sizeof(double)), gnu::aligned(sizeof(double)), gnu::may_alias]] = double;

// Held and Karp's step for all sets in turn: the ways through a set to every group beyond it, side by side in lanes.
// Additions and minima only: the same bits on every processor.
template <std::size_t lanes>
[[gnu::always_inline]] inline void extend_all(std::size_t all, const double* edge, double* way, double* shortest) {
  constexpr std::size_t vectors = lanes / 4;
  for (std::size_t set = 1; set <= all; ++set) {
    Lanes best[vectors];
    for (Lanes& lane : best) lane = Lanes{kInfinity, kInfinity, kInfinity, kInfinity};
    double least = kInfinity;
    for (std::size_t left = set; left != 0; left &= left - 1) {
      const auto last = static_cast<std::size_t>(__builtin_ctzll(left));
      const double arm = way[(set & ~(std::size_t{1} << last)) * lanes + last];
      const Lanes* row = reinterpret_cast<const Lanes*>(edge + last * lanes);
      least = arm < least ? arm : least;
      for (std::size_t i = 0; i < vectors; ++i) {
        const Lanes length = row[i] + arm;
        best[i] = length < best[i] ? length : best[i];
      }
    }
    shortest[set] = least;
    Lanes* to = reinterpret_cast<Lanes*>(way + set * lanes);
    for (std::size_t i = 0; i < vectors; ++i) to[i] = best[i];
  }
}

[[gnu::always_inline]] inline void extend_lanes(std::size_t lanes, std::size_t all, const double* edge, double* way,
                                                double* shortest) {
  if (lanes == kFewLanes)
    extend_all<kFewLanes>(all, edge, way, shortest);
  else
    extend_all<kMostLanes>(all, edge, way, shortest);
}

void extend_anywhere(std::size_t lanes, std::size_t all, const double* edge, double* way, double* shortest) {
  extend_lanes(lanes, all, edge, way, shortest);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void extend_with_avx2(std::size_t lanes, std::size_t all, const double* edge, double* way,
                                              double* shortest) {
  extend_lanes(lanes, all, edge, way, shortest);
}

void extend(std::size_t lanes, std::size_t all, const double* edge, double* way, double* shortest) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  (has_avx2 ? extend_with_avx2 : extend_anywhere)(lanes, all, edge, way, shortest);
}
#else
void extend(std::size_t lanes, std::size_t all, const double* edge, double* way, double* shortest) {
  extend_anywhere(lanes, all, edge, way, shortest);
}
#endif

}  // namespace

const char* OpenPath::method(std::size_t groups) {
  return groups <= kExactLimit ? "optimal (Held-Karp)" : "nearest neighbour, 2-opt and or-opt (not proven optimal)";
}

OpenPath::OpenPath(std::size_t groups) : groups_(groups) {
  require(groups > 0, "a path needs at least one group");
  order_.reserve(groups);
  if (groups > kExactLimit) return;
  const std::size_t sets = std::size_t{1} << (groups - 1);
  lanes_ = groups <= kFewLanes + 1 ? kFewLanes : kMostLanes;
  static_assert(kExactLimit <= kMostLanes + 1);
  edge_.resize(lanes_ * lanes_, kInfinity);
  way_.resize(sets * lanes_);
  shortest_.resize(sets);
}

double OpenPath::solve(const double* edges) {
  order_.clear();
  if (groups_ <= kExactLimit)
    solve_exactly(edges);
  else
    solve_roughly(edges);
  if (order_.front() > order_.back()) std::reverse(order_.begin(), order_.end());
  return length_of(edges, groups_, order_);
}

// Group g > 0 is bit g - 1 of a set.
void OpenPath::solve_exactly(const double* edges) {
  const std::size_t others = groups_ - 1;
  const std::size_t all = (std::size_t{1} << others) - 1;
  for (std::size_t next = 0; next < others; ++next) {
    way_[next] = edges[next + 1];
    for (std::size_t last = 0; last < others; ++last)
      edge_[last * lanes_ + next] = edges[(last + 1) * groups_ + next + 1];
  }
  shortest_[0] = 0;
  extend(lanes_, all, edge_.data(), way_.data(), shortest_.data());
  std::size_t front = 0;  // the arm in front of group 0; the other holds the rest
  for (std::size_t set = 1; set <= all / 2; ++set)
    if (shortest_[set] + shortest_[all ^ set] < shortest_[front] + shortest_[all ^ front]) front = set;
  append_arm(edges, front);
  order_.push_back(0);
  const std::size_t length = order_.size();
  append_arm(edges, all ^ front);
  std::reverse(order_.begin() + static_cast<std::ptrdiff_t>(length), order_.end());
}

// The shortest way from group 0 through `set` that ends in `last`, which is in it.
double OpenPath::arm(std::size_t set, std::size_t last) const {
  return way_[(set & ~(std::size_t{1} << last)) * lanes_ + last];
}

// Appends the groups of the shortest arm through `set`, its far end first.
void OpenPath::append_arm(const double* edges, std::size_t set) {
  const std::size_t others = groups_ - 1;
  std::size_t next = 0;  // group behind the one looked for; 0 = none yet
  while (set != 0) {
    std::size_t chosen = others;
    double best = kInfinity;
    for (std::size_t last = others; last-- > 0;) {  // ties: the highest number farthest out
      if ((set >> last & 1) == 0) continue;
      const double length = arm(set, last) + (next == 0 ? 0 : edges[next * groups_ + last + 1]);
      if (chosen == others || length < best) chosen = last, best = length;
    }
    order_.push_back(static_cast<std::uint32_t>(chosen + 1));
    next = chosen + 1;
    set &= ~(std::size_t{1} << chosen);
  }
}

void OpenPath::solve_roughly(const double* edges) {
  double shortest = kInfinity;
  for (std::uint32_t start = 0; start < groups_; ++start) {
    std::vector<std::uint32_t> order = nearest_neighbour_path(edges, groups_, start);
    const double length = length_of(edges, groups_, order);
    if (!order_.empty() && length >= shortest) continue;
    shortest = length;
    order_ = std::move(order);
  }
  const double least_gain = kLeastGain * shortest;
  while (apply_two_opt(edges, groups_, least_gain, order_) || apply_or_opt(edges, groups_, least_gain, order_)) {
  }
}

}  // namespace longhaul
