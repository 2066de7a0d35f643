#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/scheduler/cases.hpp"

using namespace longhaul;
using namespace longhaul::cases;

namespace {

std::vector<RankId> ranks_in_order(std::size_t ranks) {
  std::vector<RankId> all;
  for (std::size_t rank = 0; rank < ranks; ++rank) all.emplace_back(rank);
  return all;
}

bool is_placement(std::vector<RankId> placement, std::size_t ranks) {
  std::sort(placement.begin(), placement.end());
  return placement == ranks_in_order(ranks);
}

// A problem that every scheduler accepts.
Problem small_problem(const PlatformView& platform, const Degrees& degrees) {
  Problem problem = problem_on(platform, degrees);
  problem.search.trials = 200;
  problem.rank_map = ranks_in_order(degrees.ranks());
  std::reverse(problem.rank_map.begin(), problem.rank_map.end());
  return problem;
}

}  // namespace

TEST_CASE("every scheduler has a name of its own and is found by it") {
  std::set<std::string> names;
  for (const Scheduler& scheduler : schedulers()) {
    CHECK(names.insert(scheduler.name).second);
    CHECK(find_scheduler(scheduler.name) == &scheduler);
  }
  CHECK(find_scheduler("no such scheduler") == nullptr);
}

TEST_CASE("every scheduler keeps what is fixed, places every rank once and answers the same each time") {
  const PlatformView platform = random_platform(8, 1);
  for (const Degrees degrees : {Degrees{4, 2}, Degrees{2, 4}, Degrees{8, 1}, Degrees{1, 8}}) {
    const Problem problem = small_problem(platform, degrees);
    for (const Scheduler& scheduler : schedulers()) {
      if (scheduler.needs != Needs::placement) continue;  // they have tests of their own
      INFO(scheduler.name << " " << degrees.pipeline << " x " << degrees.data);
      const Decision decision = scheduler.plan(problem);
      CHECK(is_placement(decision.plan.rank_of_device, 8));
      CHECK(scheduler.plan(problem).plan == decision.plan);
      Plan without_placement = decision.plan;
      without_placement.rank_of_device.clear();
      CHECK(without_placement == problem.fixed);
    }
  }
}

TEST_CASE("every scheduler rejects degrees that do not fit the platform as the user's error") {
  const PlatformView platform = random_platform(8, 1);
  for (const Scheduler& scheduler : schedulers()) {
    INFO(scheduler.name);
    CHECK_THROWS_AS(scheduler.plan(small_problem(platform, {3, 2})), UserError);
    CHECK_THROWS_AS(scheduler.plan(small_problem(platform, {0, 8})), UserError);
  }
}

TEST_CASE("identity runs rank i on device i") {
  const PlatformView platform = random_platform(6, 1);
  const Decision decision = plan_with("identity", problem_on(platform, {3, 2}));
  CHECK(decision.plan.rank_of_device == ranks_in_order(6));
}

TEST_CASE("megatron puts the replicas of a stage on consecutive devices") {
  // 3 stages, 2 replicas; rank = replica * 3 + stage. Devices: stage 0 of both replicas, then stage 1, then stage 2.
  const PlatformView platform = random_platform(6, 1);
  const Decision decision = plan_with("megatron", problem_on(platform, {3, 2}));
  const std::vector<RankId> expected{RankId(0), RankId(3), RankId(1), RankId(4), RankId(2), RankId(5)};
  CHECK(decision.plan.rank_of_device == expected);
}

TEST_CASE("random placements differ from seed to seed") {
  const PlatformView platform = random_platform(64, 1);
  const Decision one = plan_with("random", problem_on(platform, {8, 8}, 1));
  const Decision two = plan_with("random", problem_on(platform, {8, 8}, 2));
  CHECK(one.plan.rank_of_device != two.plan.rank_of_device);
}

TEST_CASE("rank_map places the ranks as the map says") {
  const PlatformView platform = random_platform(6, 1);
  const Problem problem = small_problem(platform, {3, 2});
  CHECK(plan_with("rank_map", problem).plan.rank_of_device == problem.rank_map);
}

TEST_CASE("rank_map without a map is the user's error") {
  const PlatformView platform = random_platform(4, 1);
  CHECK_THROWS_AS(plan_with("rank_map", problem_on(platform, {2, 2})), UserError);
}

TEST_CASE("exhaustive rejects a platform with too many partitions as the user's error") {
  const PlatformView platform = random_platform(18, 1);
  CHECK_THROWS_AS(plan_with("exhaustive", problem_on(platform, {6, 3})), UserError);
}

TEST_CASE("a search rejects settings out of range as the user's error") {
  const PlatformView platform = random_platform(8, 1);
  Problem lonely = problem_on(platform, {4, 2});
  lonely.search.population = 1;
  CHECK_THROWS_AS(plan_with("dtfm", lonely), UserError);
  Problem hot = problem_on(platform, {4, 2});
  hot.search.annealing_heat = 2;
  CHECK_THROWS_AS(plan_with("dtfm", hot), UserError);
}
