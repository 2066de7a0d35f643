#include "scheduler/open_path.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

#include "sim/base/random.hpp"

using namespace longhaul;

namespace {

std::vector<double> random_edges(std::size_t groups, std::uint64_t distinct, RandomStream& random) {
  std::vector<double> edges(groups * groups, 0);
  for (std::size_t a = 0; a < groups; ++a)
    for (std::size_t b = a + 1; b < groups; ++b)
      edges[a * groups + b] = edges[b * groups + a] = static_cast<double>(random.below(distinct));
  return edges;
}

double length_of(const std::vector<double>& edges, const std::vector<std::uint32_t>& order) {
  double length = 0;
  for (std::size_t i = 1; i < order.size(); ++i) length += edges[order[i - 1] * order.size() + order[i]];
  return length;
}

std::vector<std::uint32_t> ascending(std::size_t groups) {
  std::vector<std::uint32_t> order(groups);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

double shortest_of_all_orders(const std::vector<double>& edges, std::size_t groups) {
  std::vector<std::uint32_t> order = ascending(groups);
  double shortest = std::numeric_limits<double>::infinity();
  do shortest = std::min(shortest, length_of(edges, order));
  while (std::next_permutation(order.begin(), order.end()));
  return shortest;
}

bool is_permutation_of_groups(std::vector<std::uint32_t> order, std::size_t groups) {
  std::sort(order.begin(), order.end());
  return order == ascending(groups);
}

// Groups on a line in a shuffled order; the edge is the distance, so the shortest path visits the line end to end.
std::vector<double> edges_on_a_line(std::size_t groups, RandomStream& random) {
  std::vector<std::uint32_t> position = ascending(groups);
  random.shuffle(position);
  std::vector<double> edges(groups * groups);
  for (std::size_t a = 0; a < groups; ++a)
    for (std::size_t b = 0; b < groups; ++b)
      edges[a * groups + b] = std::abs(static_cast<double>(position[a]) - static_cast<double>(position[b]));
  return edges;
}

}  // namespace

TEST_CASE("the path over up to seven groups is the shortest of all orders") {
  RandomStream random(1, "path test");
  for (std::size_t groups = 1; groups <= 7; ++groups) {
    OpenPath path(groups);
    for (const std::uint64_t distinct : {3, 1000}) {
      for (int repetition = 0; repetition < 20; ++repetition) {
        const std::vector<double> edges = random_edges(groups, distinct, random);
        const double found = path.solve(edges.data());
        REQUIRE(found == shortest_of_all_orders(edges, groups));
        REQUIRE(is_permutation_of_groups(path.order(), groups));
        REQUIRE(length_of(edges, path.order()) == found);
      }
    }
  }
}

TEST_CASE("the path over sixteen groups is still exact") {
  RandomStream random(2, "path test");
  OpenPath path(16);
  const std::vector<double> edges = edges_on_a_line(16, random);
  CHECK(path.solve(edges.data()) == 15);
}

TEST_CASE("the path over more groups than the exact limit is complete and cannot be bettered by moving one group") {
  RandomStream random(3, "path test");
  constexpr std::size_t kGroups = 24;
  OpenPath path(kGroups);
  const std::vector<double> edges = random_edges(kGroups, 1000, random);
  const double found = path.solve(edges.data());
  REQUIRE(is_permutation_of_groups(path.order(), kGroups));
  CHECK(length_of(edges, path.order()) == found);
  for (std::size_t from = 0; from < kGroups; ++from) {
    for (std::size_t to = 0; to < kGroups; ++to) {
      std::vector<std::uint32_t> other = path.order();
      const std::uint32_t moved = other[from];
      other.erase(other.begin() + static_cast<std::ptrdiff_t>(from));
      other.insert(other.begin() + static_cast<std::ptrdiff_t>(to), moved);
      CHECK(length_of(edges, other) >= found);
    }
  }
}

TEST_CASE("the path over forty groups on a line walks the line") {
  RandomStream random(4, "path test");
  OpenPath path(40);
  const std::vector<double> edges = edges_on_a_line(40, random);
  CHECK(path.solve(edges.data()) == 39);
}

TEST_CASE("of equally short paths the one in ascending order is taken") {
  for (const std::size_t groups : {1, 2, 8, 20}) {
    OpenPath path(groups);
    const std::vector<double> edges(groups * groups, 1);
    path.solve(edges.data());
    CHECK(path.order() == ascending(groups));
  }
}

TEST_CASE("which method orders the groups is said") {
  CHECK(std::string(OpenPath::method(16)).find("optimal") == 0);
  CHECK(std::string(OpenPath::method(17)).find("not proven optimal") != std::string::npos);
}
