// The search finds the best known layout of each of the paper's five cases from every seed. Fifty searches: this file and
// what it tests are compiled with optimisation and without sanitizers, in a program of their own.
#include <catch2/catch.hpp>

#include "tests/scheduler/cases.hpp"

using namespace longhaul;
using namespace longhaul::cases;

namespace {

// DT-FM's best known layouts (its convergence curves, and for the spot instances the layout its authors ran).
void check_optimum_for_every_seed(const PlatformView& platform, double best_known) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem problem = problem_on(platform, {8, 8}, seed);
    const Decision decision = plan_with("dtfm", problem);
    INFO("seed " << seed);
    CHECK(cost_of(decision, problem).total().value == Approx(best_known).epsilon(0).margin(5e-7));
    CHECK(decision.evaluations == 5000);
  }
}

}  // namespace

TEST_CASE("dtfm finds the optimum of the data centre for every seed") {
  check_optimum_for_every_seed(data_centre(), 3.439799);
}

TEST_CASE("dtfm finds the optimum of the spot instances, which the authors' search misses, for every seed") {
  check_optimum_for_every_seed(spot_instances(), 31.634160);
}

TEST_CASE("dtfm finds the optimum of the two universities for every seed") {
  check_optimum_for_every_seed(two_universities(), 16.086840);
}

TEST_CASE("dtfm finds the optimum of the regional case for every seed") {
  check_optimum_for_every_seed(regional(), 34.802041);
}

TEST_CASE("dtfm finds the optimum of the world-wide case for every seed") {
  check_optimum_for_every_seed(world_wide(), 49.218380);
}
