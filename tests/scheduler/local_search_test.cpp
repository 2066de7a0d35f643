#include <catch2/catch.hpp>

#include "scheduler/cyclic_local_search.hpp"
#include "scheduler/layout_annealing.hpp"
#include "scheduler/partition_cost.hpp"
#include "tests/scheduler/cases.hpp"

using namespace longhaul;
using namespace longhaul::cases;

namespace {

void check_passes_stay_balanced(const PlatformView& platform, const Degrees& degrees, Gain gain) {
  const CostMatrices matrices(platform, paper_sizes(), degrees.data);
  CyclicLocalSearch local_search(matrices, degrees.pipeline, gain);
  RandomStream random(1, "local search test");
  for (int repetition = 0; repetition < 30; ++repetition) {
    const Partition start = random_partition(platform.size(), degrees.pipeline, random);
    const Partition improved = local_search.improve(start);
    REQUIRE_NOTHROW(members_by_group(improved));
    REQUIRE(local_search.improve(start) == improved);
  }
}

// What the baseline's gain is about: the weight of the cut, pipeline less data-parallel edges.
double cut_weight(const CostMatrices& matrices, const Partition& partition) {
  double weight = 0;
  for (std::size_t a = 0; a < matrices.size; ++a)
    for (std::size_t b = a + 1; b < matrices.size; ++b)
      if (partition.group_of_device[a] != partition.group_of_device[b])
        weight += matrices.pipeline_edge(a, b) - matrices.data_parallel_edge(a, b);
  return weight;
}

}  // namespace

TEST_CASE("a pass of cyclic local search keeps the groups balanced and is deterministic") {
  for (const Gain gain : {Gain::kFastestLink, Gain::kCutWeight}) {
    check_passes_stay_balanced(random_platform(24, 1), {4, 6}, gain);
    check_passes_stay_balanced(random_platform(24, 2), {12, 2}, gain);
    check_passes_stay_balanced(random_platform(6, 3), {6, 1}, gain);
    check_passes_stay_balanced(random_platform(6, 4), {1, 6}, gain);
  }
}

TEST_CASE("the gain of the paper parts two devices with a fast link") {
  // 0-1 and 2-3 are fast; in the groups {0, 1} and {2, 3} data parallelism wastes them.
  const PlatformView platform =
      platform_of(4, [](std::size_t a, std::size_t b) { return a / 2 == b / 2 ? path(1, 10) : path(50, 1); });
  const CostMatrices matrices(platform, paper_sizes(), 2);
  const Partition parted = CyclicLocalSearch(matrices, 2, Gain::kFastestLink).improve({2, {0, 0, 1, 1}});
  CHECK(parted.group_of_device[0] != parted.group_of_device[1]);
  CHECK(parted.group_of_device[2] != parted.group_of_device[3]);
}

TEST_CASE("a pass with the baseline's gain never makes the cut heavier") {
  const PlatformView platform = random_platform(24, 5);
  const CostMatrices matrices(platform, paper_sizes(), 6);
  CyclicLocalSearch local_search(matrices, 4, Gain::kCutWeight);
  RandomStream random(2, "local search test");
  for (int repetition = 0; repetition < 30; ++repetition) {
    const Partition start = random_partition(24, 4, random);
    REQUIRE(cut_weight(matrices, local_search.improve(start)) <= cut_weight(matrices, start) + 1e-9);
  }
}

TEST_CASE("the smoothed cost of a layout of equal links is its true cost") {
  const PlatformView platform = platform_of(12, [](std::size_t, std::size_t) { return path(20, 1); });
  const Problem problem = problem_on(platform, {4, 3});
  const Decision decision = plan_with("identity", problem);
  const CostMatrices matrices(platform, paper_sizes(), 3);
  const double smoothed = LayoutAnnealing(matrices, {4, 3}).smoothed_cost(decision.plan.rank_of_device);
  CHECK(smoothed == Approx(cost_of(decision, problem).total().value));
}

TEST_CASE("annealing ends with a layout of a smoothed cost no higher than it began with") {
  const PlatformView platform = random_platform(24, 6);
  for (const Degrees degrees : {Degrees{4, 6}, Degrees{24, 1}, Degrees{1, 24}}) {
    const Problem problem = problem_on(platform, degrees);
    const CostMatrices matrices(platform, paper_sizes(), degrees.data);
    LayoutAnnealing annealing(matrices, degrees);
    const std::vector<RankId> start = plan_with("random", problem).plan.rank_of_device;
    const double before = annealing.smoothed_cost(start);
    RandomStream random(3, "annealing test");
    const std::vector<RankId> end = annealing.improve(start, 2000, 0.01, random);
    CHECK(annealing.smoothed_cost(end) <= before);
  }
}
