#include "sim/workload/ring_order.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/workload/sync_team.hpp"

namespace longhaul {
namespace {

constexpr std::size_t exact_limit = 10;
constexpr std::size_t reversal_limit = 1000;
constexpr double least_gain = 1e-12;  // share of the tour; less is rounding, not progress

// to_go[set * members + last]: the shortest way from `last` through the set of members (bit k = member k + 1) back to 0.
std::vector<std::size_t> shortest_tour(const std::vector<double>& edges, std::size_t members) {
  const std::size_t others = members - 1;
  const std::size_t sets = std::size_t{1} << others;
  std::vector<double> to_go(sets * members, std::numeric_limits<double>::infinity());
  for (std::size_t set = 0; set < sets; ++set)
    for (std::size_t last = 0; last < members; ++last) {
      if (last > 0 && (set >> (last - 1) & 1U) != 0) continue;
      double& shortest = to_go[set * members + last];
      if (set == 0) shortest = last == 0 ? 0 : edges[last * members];
      for (std::size_t next = 1; next < members; ++next) {
        const std::size_t bit = std::size_t{1} << (next - 1);
        if ((set & bit) != 0)
          shortest = std::min(shortest, edges[last * members + next] + to_go[(set ^ bit) * members + next]);
      }
    }
  std::vector<std::size_t> tour{0};
  for (std::size_t set = sets - 1; set != 0;) {
    const std::size_t last = tour.back();
    std::size_t next = 1;
    for (;; ++next) {
      const std::size_t bit = std::size_t{1} << (next - 1);
      if ((set & bit) != 0 &&
          edges[last * members + next] + to_go[(set ^ bit) * members + next] == to_go[set * members + last])
        break;
    }
    tour.push_back(next);
    set ^= std::size_t{1} << (next - 1);
  }
  return tour;
}

std::vector<std::size_t> nearest_neighbours(const std::vector<double>& edges, std::size_t members) {
  std::vector<std::size_t> tour{0};
  std::vector<bool> used(members, false);
  used[0] = true;
  while (tour.size() < members) {
    const double* from = edges.data() + tour.back() * members;
    std::size_t nearest = members;
    for (std::size_t next = 0; next < members; ++next)
      if (!used[next] && (nearest == members || from[next] < from[nearest])) nearest = next;
    used[nearest] = true;
    tour.push_back(nearest);
  }
  return tour;
}

// Lengths of the tour up to each position, as it is and backwards, so that a reversal is judged in constant time.
struct Lengths {
  std::vector<double> along;
  std::vector<double> back;
  Lengths(const std::vector<double>& edges, const std::vector<std::size_t>& tour)
      : along(tour.size(), 0), back(tour.size(), 0) {
    for (std::size_t i = 1; i < tour.size(); ++i) {
      along[i] = along[i - 1] + edges[tour[i - 1] * tour.size() + tour[i]];
      back[i] = back[i - 1] + edges[tour[i] * tour.size() + tour[i - 1]];
    }
  }
};

// Goes once over all stretches and reverses each whose reversal shortens the tour; whether there was one.
bool improve(const std::vector<double>& edges, std::vector<std::size_t>& tour) {
  const std::size_t members = tour.size();
  const auto edge = [&](std::size_t from, std::size_t to) {
    return edges[tour[from] * members + tour[to % members]];
  };
  Lengths length(edges, tour);
  bool improved = false;
  for (std::size_t first = 1; first < members; ++first)
    for (std::size_t last = first + 1; last < members; ++last) {
      const double now = edge(first - 1, first) + (length.along[last] - length.along[first]) + edge(last, last + 1);
      const double reversed =
          edge(first - 1, last) + (length.back[last] - length.back[first]) + edge(first, last + 1);
      if (now - reversed <= least_gain * length.along.back()) continue;
      std::reverse(tour.begin() + static_cast<std::ptrdiff_t>(first),
                   tour.begin() + static_cast<std::ptrdiff_t>(last) + 1);
      length = Lengths(edges, tour);
      improved = true;
    }
  return improved;
}

}  // namespace

std::vector<std::size_t> short_tour(const std::vector<double>& edges, std::size_t members) {
  require(members > 0 && edges.size() == members * members, "a tour needs one edge per ordered pair");
  if (members <= exact_limit) return shortest_tour(edges, members);
  std::vector<std::size_t> tour = nearest_neighbours(edges, members);
  while (members <= reversal_limit && improve(edges, tour)) {
  }
  return tour;
}

std::vector<std::vector<Replica>> nearest_ring_orders(const Job& job, const Plan& plan,
                                                      const PlatformView& platform) {
  const std::vector<DeviceId> devices = plan.device_of_rank();
  std::vector<std::vector<Replica>> orders;
  for (const SyncTeam& team : sync_teams(job, plan, RankLayout(plan)).teams) {
    const std::size_t members = team.ranks.size();
    std::vector<DeviceId> group;
    for (const RankId rank : team.ranks) group.push_back(devices[rank.value]);
    const Compression& compression = plan.gradient_compression.over(widest_reach(platform, group));
    const Bytes share =
        compressed_bytes(compression, team.gradient, job.value_bytes()) / static_cast<double>(members);
    std::vector<double> edges(members * members, 0);
    for (std::size_t from = 0; from < members; ++from)
      for (std::size_t to = 0; to < members; ++to) {
        if (from == to) continue;
        const Path& path = platform.path(group[from], group[to]);
        edges[from * members + to] = (path.latency + share / path.bandwidth).value;
      }
    orders.emplace_back();
    for (const std::size_t member : short_tour(edges, members)) orders.back().emplace_back(member);
  }
  return orders;
}

}  // namespace longhaul
