#include <catch2/catch.hpp>

#include "tests/scheduler/cases.hpp"

using namespace longhaul;
using namespace longhaul::cases;

namespace {

constexpr double kDigits = 5e-7;  // the reference figures are rounded to six digits after the point

Cost cost_of_map(const PlatformView& platform, const std::vector<RankId>& rank_of_device) {
  Problem problem = problem_on(platform, {8, 8});
  problem.fixed.rank_of_device = rank_of_device;
  return cost_of_placement(platform, problem.fixed, paper_sizes());
}

Cost cost_of_identity(const PlatformView& platform) {
  const Problem problem = problem_on(platform, {8, 8});
  return cost_of(plan_with("identity", problem), problem);
}

}  // namespace

TEST_CASE("the identity layout of the world-wide case costs what DT-FM's scheduler says") {
  const Cost cost = cost_of_identity(world_wide());
  CHECK(cost.data_parallel.value == Approx(22.758424).epsilon(0).margin(kDigits));
  CHECK(cost.pipeline.value == Approx(26.459956).epsilon(0).margin(kDigits));
  CHECK(cost.total().value == Approx(49.218380).epsilon(0).margin(kDigits));
}

TEST_CASE("random map 2022 of the world-wide case costs what DT-FM's cost model says") {
  const Cost cost = cost_of_map(world_wide(), random_map_2022());
  CHECK(cost.data_parallel.value == Approx(24.7556).epsilon(0).margin(5e-5));
  CHECK(cost.pipeline.value == Approx(155.7253).epsilon(0).margin(5e-5));
  CHECK(cost.total().value == Approx(180.4809).epsilon(0).margin(5e-5));
}

TEST_CASE("the identity layout of the two universities costs what DT-FM's scheduler says") {
  CHECK(cost_of_identity(two_universities()).total().value == Approx(16.086840).epsilon(0).margin(kDigits));
}

TEST_CASE("the identity layout of the regional case costs what DT-FM's scheduler says") {
  CHECK(cost_of_identity(regional()).total().value == Approx(34.802041).epsilon(0).margin(kDigits));
}

TEST_CASE("the identity layout of the data centre costs what DT-FM's scheduler says") {
  const Cost cost = cost_of_identity(data_centre());
  CHECK(cost.data_parallel.value == Approx(2.912000).epsilon(0).margin(kDigits));
  CHECK(cost.pipeline.value == Approx(0.527799).epsilon(0).margin(kDigits));
}

TEST_CASE("pipelines of four single GPUs and then a machine of four cost what DT-FM's scheduler says") {
  std::vector<RankId> ranks;
  for (std::size_t device = 0; device < 32; ++device) ranks.emplace_back(device / 4 * 8 + 4 + device % 4);
  for (std::size_t device = 0; device < 32; ++device) ranks.emplace_back(device / 4 * 8 + device % 4);
  const Cost cost = cost_of_map(spot_instances(), ranks);
  CHECK(cost.data_parallel.value == Approx(7.280000).epsilon(0).margin(kDigits));
  CHECK(cost.pipeline.value == Approx(24.354160).epsilon(0).margin(kDigits));
}

TEST_CASE("delays and bandwidths are averaged over both directions, each on its own") {
  // (10 ms, 1 Gbps) and (30 ms, 3 Gbps) make 20 ms and 2 Gbps; the mean of the two times would be another number.
  const PlatformView platform =
      platform_of(2, [](std::size_t from, std::size_t) { return from == 0 ? path(10, 1) : path(30, 3); });
  const CostMatrices matrices(platform, {Bytes(1e9), Bytes(2e9)}, 2);
  CHECK(matrices.pipeline_edge(0, 1) == Approx(2 * (0.020 + 2e9 * 8 / 2e9)));
  CHECK(matrices.data_parallel_edge(1, 0) == Approx(2 * (0.020 + 0.5e9 * 8 / 2e9)));
  CHECK(matrices.pipeline_edge(0, 0) == 0);
}

TEST_CASE("a placement with a rank missing is a broken contract") {
  const PlatformView platform = data_centre();
  Problem problem = problem_on(platform, {8, 8});
  problem.fixed.rank_of_device.resize(63);
  CHECK_THROWS_AS(cost_of_placement(problem.platform, problem.fixed, problem.sizes), InternalError);
}
