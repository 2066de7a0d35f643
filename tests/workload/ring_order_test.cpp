#include "sim/workload/ring_order.hpp"

#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

std::vector<double> random_edges(std::size_t members, std::uint64_t seed) {
  RandomStream random(seed, "edges");
  std::vector<double> edges(members * members);
  for (double& edge : edges) edge = 1 + static_cast<double>(random.below(1000));
  return edges;
}

double length_of(const std::vector<double>& edges, const std::vector<std::size_t>& tour) {
  double length = 0;
  for (std::size_t i = 0; i < tour.size(); ++i) length += edges[tour[i] * tour.size() + tour[(i + 1) % tour.size()]];
  return length;
}

std::vector<std::size_t> identity(std::size_t members) {
  std::vector<std::size_t> tour(members);
  std::iota(tour.begin(), tour.end(), std::size_t{0});
  return tour;
}

}  // namespace

TEST_CASE("up to ten members the tour is a shortest one") {
  for (std::size_t members = 1; members <= 7; ++members)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const std::vector<double> edges = random_edges(members, seed);
      std::vector<std::size_t> tour = identity(members);
      double shortest = length_of(edges, tour);
      while (std::next_permutation(tour.begin() + 1, tour.end()))
        shortest = std::min(shortest, length_of(edges, tour));
      INFO(members << " members, seed " << seed);
      CHECK(length_of(edges, short_tour(edges, members)) == Approx(shortest));
    }
}

TEST_CASE("every tour visits everybody once, from 0, and no reversal shortens it") {
  for (const std::size_t members : {10U, 11U, 16U, 40U}) {
    const std::vector<double> edges = random_edges(members, members);
    std::vector<std::size_t> tour = short_tour(edges, members);
    CHECK(tour.front() == 0);
    const double length = length_of(edges, tour);
    for (std::size_t first = 1; first < members; ++first)
      for (std::size_t last = first + 1; last < members; ++last) {
        std::vector<std::size_t> other = tour;
        std::reverse(other.begin() + first, other.begin() + last + 1);
        CHECK(length_of(edges, other) >= length * (1 - 1e-9));
      }
    std::sort(tour.begin(), tour.end());
    CHECK(tour == identity(members));
  }
}

TEST_CASE("between equals the tour goes by number") {
  for (const std::size_t members : {1U, 2U, 9U, 12U})
    CHECK(short_tour(std::vector<double>(members * members, 0.3), members) == identity(members));
}

TEST_CASE("a ring in the nearest order does not cross regions more than it must") {
  // Replicas alternate between two regions 9 s apart; inside a region the delay is 1 s.
  Cluster cluster = test_cluster({3, 3}, BandwidthLimit::per_pair);
  cluster.between[1] = cluster.between[2] = link_figures(9, 100);
  const Platform platform = load_cluster(cluster);
  Plan plan = test_plan(1, 6, 1, "gpipe", "central_server");
  plan.rank_of_device = {RankId(0), RankId(2), RankId(4), RankId(1), RankId(3), RankId(5)};
  const Job job = test_job(1, 2, 1, 600);
  const auto seconds = [&] {
    const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
    GraphWorkload workload(graph);
    return simulate(platform, workload, {}).end.value;
  };
  // One chunk of 6 s a hop. The reduce goes 1 … 5, 0, the broadcast 0 … 5; by replica all ten hops cross.
  CHECK(seconds() == Approx(3 + 10 * (6 + 9)).margin(1e-9));
  plan.ring_orders = nearest_ring_orders(job, plan, platform.view);
  REQUIRE(plan.ring_orders.size() == 1);
  std::vector<std::size_t> order;
  for (const Replica replica : plan.ring_orders[0]) order.push_back(replica.value);
  CHECK(order == std::vector<std::size_t>{0, 1, 3, 5, 2, 4});
  // The reduce crosses once and comes home inside, the broadcast crosses to and fro.
  CHECK(seconds() == Approx(3 + (4 * 7 + 15) + (3 * 7 + 2 * 15)).margin(1e-9));
  plan.ring_orders[0][0] = Replica(5);
  CHECK_THROWS_AS(seconds(), InternalError);
}
