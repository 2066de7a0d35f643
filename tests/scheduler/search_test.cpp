#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/scheduler/cases.hpp"

using namespace longhaul;
using namespace longhaul::cases;

namespace {

void check_equals_exhaustive(const Degrees& degrees) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const PlatformView platform = random_platform(degrees.ranks(), seed);
    Problem problem = problem_on(platform, degrees, seed);
    const double optimum = cost_of(plan_with("exhaustive", problem), problem).total().value;
    INFO(degrees.pipeline << " x " << degrees.data << " seed " << seed);
    CHECK(cost_of(plan_with("dtfm", problem), problem).total().value == Approx(optimum).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("dtfm with only what the paper describes finds the optimum of the world-wide case") {
  const PlatformView platform = world_wide();
  Problem problem = problem_on(platform, {8, 8});
  problem.search.annealing_interval = 0;
  problem.search.swap_interval = 0;
  CHECK(cost_of(plan_with("dtfm", problem), problem).total().value == Approx(49.218380).epsilon(0).margin(5e-7));
}

TEST_CASE("dtfm finds what trying every partition of a small platform finds") {
  check_equals_exhaustive({3, 2});
  check_equals_exhaustive({4, 2});
  check_equals_exhaustive({2, 4});
  check_equals_exhaustive({3, 3});
  check_equals_exhaustive({4, 3});
}

TEST_CASE("exhaustive is no dearer than any of many random placements") {
  const PlatformView platform = random_platform(9, 11);
  const double optimum =
      cost_of(plan_with("exhaustive", problem_on(platform, {3, 3})), problem_on(platform, {3, 3})).total().value;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Problem problem = problem_on(platform, {3, 3}, seed);
    REQUIRE(cost_of(plan_with("random", problem), problem).total().value >= optimum);
  }
}

TEST_CASE("exhaustive tries every partition once") {
  const PlatformView platform = random_platform(9, 12);
  CHECK(plan_with("exhaustive", problem_on(platform, {3, 3})).evaluations == 280);
}

TEST_CASE("dtfm on more than sixteen groups is cheaper than the best of many random placements") {
  const PlatformView platform = random_platform(40, 13);
  Problem problem = problem_on(platform, {20, 2});
  problem.search.trials = 100;
  const double found = cost_of(plan_with("dtfm", problem), problem).total().value;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Problem other = problem_on(platform, {20, 2}, seed);
    REQUIRE(cost_of(plan_with("random", other), other).total().value > found);
  }
}

TEST_CASE("a search counts its evaluations and says at which of them it found the answer") {
  const PlatformView platform = random_platform(16, 14);
  Problem problem = problem_on(platform, {4, 4});
  problem.search.trials = 300;
  const Decision decision = plan_with("dtfm", problem);
  CHECK(decision.evaluations == 400);
  CHECK(decision.best_evaluation >= 1);
  CHECK(decision.best_evaluation <= 400);
}

TEST_CASE("a search reports progress at most about a hundred times and ends with all of it") {
  const PlatformView platform = random_platform(16, 15);
  Problem problem = problem_on(platform, {4, 4});
  problem.search.trials = 900;
  std::vector<double> reports;
  problem.progress = [&](double done) { reports.push_back(done); };
  for (const char* scheduler : {"dtfm", "kernighan_lin"}) {
    reports.clear();
    plan_with(scheduler, problem);
    CHECK(reports.size() <= 101);
    CHECK(std::is_sorted(reports.begin(), reports.end()));
    CHECK(reports.back() == 1);
  }
}
