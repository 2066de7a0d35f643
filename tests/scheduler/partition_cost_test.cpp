#include "scheduler/partition_cost.hpp"

#include <catch2/catch.hpp>

#include "tests/scheduler/cases.hpp"

using namespace longhaul;
using namespace longhaul::cases;

namespace {

void check_layout_costs_what_its_partition_does(const PlatformView& platform, const Degrees& degrees) {
  const CostMatrices matrices(platform, paper_sizes(), degrees.data);
  PartitionCost cost(matrices, degrees);
  RandomStream random(7, "partition cost test");
  Problem problem = problem_on(platform, degrees);
  for (int repetition = 0; repetition < 20; ++repetition) {
    const Partition partition = random_partition(platform.size(), degrees.pipeline, random);
    const Cost of_partition = cost.score(partition).cost;
    problem.fixed.rank_of_device = cost.layout(partition);
    const Cost as_laid_out = cost_of_placement(platform, problem.fixed, paper_sizes());
    REQUIRE(as_laid_out.data_parallel == of_partition.data_parallel);
    REQUIRE(as_laid_out.pipeline == of_partition.pipeline);
  }
}

}  // namespace

TEST_CASE("the layout of a partition costs, as laid out, exactly what the partition costs") {
  check_layout_costs_what_its_partition_does(world_wide(), {8, 8});
  check_layout_costs_what_its_partition_does(random_platform(24, 1), {4, 6});
  check_layout_costs_what_its_partition_does(random_platform(24, 2), {12, 2});
}

TEST_CASE("the layout of a partition into more than sixteen groups costs what the partition costs") {
  check_layout_costs_what_its_partition_does(random_platform(40, 3), {20, 2});
}

TEST_CASE("the layout of groups of one and of a single group costs what the partition costs") {
  check_layout_costs_what_its_partition_does(random_platform(6, 4), {6, 1});
  check_layout_costs_what_its_partition_does(random_platform(6, 5), {1, 6});
}

TEST_CASE("a partition costs no more than any layout of its groups") {
  const PlatformView platform = random_platform(12, 6);
  const Problem problem = problem_on(platform, {4, 3});
  const CostMatrices matrices(platform, paper_sizes(), 3);
  PartitionCost cost(matrices, {4, 3});
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Problem seeded = problem;
    seeded.seed = seed;
    const Decision decision = plan_with("random", seeded);
    Partition partition{4, {}};
    for (const RankId rank : decision.plan.rank_of_device)
      partition.group_of_device.push_back(problem.fixed.degrees.stage(rank).value);
    REQUIRE(cost.score(partition).cost.total() <= cost_of(decision, problem).total());
  }
}

TEST_CASE("scoring from a similar partition gives the same as scoring from nothing") {
  const PlatformView platform = random_platform(30, 8);
  const CostMatrices matrices(platform, paper_sizes(), 5);
  PartitionCost cost(matrices, {6, 5});
  RandomStream random(9, "partition cost test");
  Partition partition = random_partition(30, 6, random);
  PartitionScore score = cost.score(partition);
  for (int repetition = 0; repetition < 50; ++repetition) {
    Partition next = partition;
    std::swap(next.group_of_device[random.below(30)], next.group_of_device[random.below(30)]);
    PartitionScore next_score = cost.score(next, partition, score);
    const PartitionScore fresh = cost.score(next);
    REQUIRE(next_score.group_edge == fresh.group_edge);
    REQUIRE(next_score.group_load == fresh.group_load);
    REQUIRE(next_score.cost.total() == fresh.cost.total());
    partition = next;
    score = next_score;
  }
}
