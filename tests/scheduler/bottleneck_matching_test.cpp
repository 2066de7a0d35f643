#include "scheduler/bottleneck_matching.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

#include "sim/base/random.hpp"

using namespace longhaul;

namespace {

// Square weights; few distinct values make many ties.
std::vector<double> random_weights(std::size_t size, std::uint64_t distinct, RandomStream& random) {
  std::vector<double> weights(size * size);
  for (double& weight : weights) weight = static_cast<double>(random.below(distinct));
  return weights;
}

// Independent of what is tested: the smallest threshold at which Boost finds a perfect matching.
double oracle(const std::vector<double>& weights, std::size_t size) {
  std::vector<double> thresholds = weights;
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  const auto feasible = [&](double threshold) {
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(2 * size);
    for (std::size_t row = 0; row < size; ++row)
      for (std::size_t column = 0; column < size; ++column)
        if (weights[row * size + column] <= threshold) add_edge(row, size + column, graph);
    std::vector<std::size_t> mates(2 * size);
    boost::edmonds_maximum_cardinality_matching(graph, mates.data());
    return boost::matching_size(graph, mates.data()) == size;
  };
  return *std::partition_point(thresholds.begin(), thresholds.end(), [&](double t) { return !feasible(t); });
}

std::vector<std::uint32_t> numbers(std::size_t size) {
  std::vector<std::uint32_t> all(size);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void check_against_oracle(std::size_t size, std::uint64_t distinct, std::size_t repetitions) {
  RandomStream random(size * 1000 + distinct, "matching test");
  BottleneckMatcher matcher(size);
  const std::vector<std::uint32_t> all = numbers(size);
  for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
    const std::vector<double> weights = random_weights(size, distinct, random);
    const double found = matcher.match(weights.data(), size, all.data(), all.data());
    REQUIRE(found == oracle(weights, size));
    std::vector<std::uint32_t> partners = matcher.partners();
    double heaviest = -std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < size; ++row) heaviest = std::max(heaviest, weights[row * size + partners[row]]);
    REQUIRE(heaviest == found);
    std::sort(partners.begin(), partners.end());
    REQUIRE(partners == all);
  }
}

}  // namespace

TEST_CASE("a bottleneck matching of a few devices is as fast as Boost's matchings allow") {
  for (const std::size_t size : {1, 2, 3, 5, 8}) {
    for (const std::uint64_t distinct : {2, 4, 1000}) check_against_oracle(size, distinct, 60);
  }
}

TEST_CASE("a bottleneck matching of 64 devices fills its bit sets to the last bit") {
  for (const std::uint64_t distinct : {3, 100000}) check_against_oracle(64, distinct, 2);
}

TEST_CASE("a bottleneck matching of more than 64 devices needs several words") {
  for (const std::size_t size : {65, 100, 130}) check_against_oracle(size, 100000, 1);
}

TEST_CASE("a bottleneck matching raises its threshold when the minima of rows and columns do not suffice") {
  // Rows 0 and 1 both have only column 0 below 9, and column 1 is cheap for row 2 alone.
  const std::vector<double> weights{1, 9, 8, 1, 9, 7, 5, 1, 1};
  BottleneckMatcher matcher(3);
  const std::vector<std::uint32_t> all = numbers(3);
  CHECK(matcher.match(weights.data(), 3, all.data(), all.data()) == 7);
  CHECK(matcher.partners() == std::vector<std::uint32_t>{0, 2, 1});
}

TEST_CASE("a bottleneck matching looks only at the devices of its two groups") {
  std::vector<double> weights(36, 1);
  const std::vector<std::uint32_t> left{1, 4};
  const std::vector<std::uint32_t> right{0, 5};
  weights[1 * 6 + 0] = 10;
  weights[1 * 6 + 5] = 3;
  weights[4 * 6 + 0] = 2;
  weights[4 * 6 + 5] = 20;
  BottleneckMatcher matcher(2);
  CHECK(matcher.match(weights.data(), 6, left.data(), right.data()) == 3);
}
