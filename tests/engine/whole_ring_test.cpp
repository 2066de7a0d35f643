// Rings as one transfer per member, and sums among slices as part of computations, against their steps one by one.
#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

double seconds(const Platform& platform, const Job& job, const Plan& plan, const NetworkModel& network,
               Engine engine = Engine::fast) {
  return simulate(platform, pipeline_tasklets(job, plan, platform.view, network), network, engine).timeline.end.value;
}

NetworkModel together() {
  NetworkModel network;
  network.ring_steps = RingSteps::together;
  return network;
}

}  // namespace

TEST_CASE("on equal links a ring takes as long in one transfer as step by step") {
  const Platform platform = load_cluster(test_cluster({6}, BandwidthLimit::per_pair));
  const Job job = test_job(5, 10, 100, 1200);
  for (const std::size_t zero : {0U, 1U, 2U, 3U}) {
    INFO("ZeRO " << zero);
    Plan plan = test_plan(1, 6, 2, "1f1b", "ring_all_reduce");
    plan.zero = zero;
    const double expected = seconds(platform, job, plan, {});
    CHECK(seconds(platform, job, plan, together()) == Approx(expected).epsilon(1e-9));
    CHECK(seconds(platform, job, plan, together(), Engine::simgrid) == Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("a ring in one transfer goes at the pace of its slowest link") {
  Cluster cluster = test_cluster({2, 1}, BandwidthLimit::per_pair);
  cluster.between[1] = link_figures(1, 10);  // to the other region
  const Platform platform = load_cluster(cluster);
  const Plan plan = test_plan(1, 3, 1, "1f1b", "ring_all_reduce");
  // Four steps of 40 bytes at 10 bytes per second, and their latencies.
  CHECK(seconds(platform, test_job(1, 2, 100, 120), plan, together()) == Approx(3 + 4 * (1 + 40.0 / 10)));
}

TEST_CASE("a ring in one transfer per member has two more tasklets than members") {
  const Platform platform = load_cluster(test_cluster({6}, BandwidthLimit::per_pair));
  const Plan plan = test_plan(1, 6, 1, "1f1b", "ring_all_reduce");
  const Job job = test_job(5, 10, 100, 1200);
  const std::size_t apart = pipeline_tasklets(job, plan, platform.view, {}).size();
  CHECK(pipeline_tasklets(job, plan, platform.view, together()).size() == apart - 10 * 6 + 6 + 2);
}

TEST_CASE("measured sums that take as long as a ring give the same iteration, with fewer tasklets") {
  Cluster cluster = test_cluster({1, 1}, BandwidthLimit::per_pair);
  for (Machine& machine : cluster.machines) {
    machine.devices = 2;
    machine.inside = link_figures(0.25, 50);
  }
  const Platform platform = load_cluster(cluster);
  const Job job = test_job(5, 10, 100, 1200);
  Plan plan = test_plan(2, 1, 3, "1f1b", "ring_all_reduce");
  plan.degrees.tensor = 2;
  plan.rank_of_device = {RankId(0), RankId(1), RankId(2), RankId(3)};
  NetworkModel network;
  const std::size_t exchanged = pipeline_tasklets(job, plan, platform.view, network).size();
  const double expected = seconds(platform, job, plan, network);
  network.tensor_sums.emplace();
  network.tensor_sums->curves = {{2, {{Bytes(100), Seconds(2 * (0.25 + 50.0 / 50))}}}};
  CHECK(seconds(platform, job, plan, network) == Approx(expected).epsilon(1e-9));
  // 24 computations of slices lost two transfers and a sum each.
  CHECK(pipeline_tasklets(job, plan, platform.view, network).size() == exchanged - 24 * 3);
}

TEST_CASE("gathers and scatters beside computations cost a share of their time") {
  const Platform platform = load_cluster(test_cluster({4}, BandwidthLimit::per_pair));
  const Job job = test_job(1000, 2000, 100, 1200);
  Plan plan = test_plan(1, 4, 1, "1f1b", "ring_all_reduce");
  plan.zero = 3;
  NetworkModel network;
  const double without = seconds(platform, job, plan, network);
  network.overlap_cost = 0.25;
  // Three times 3 / 4 of 1200 bytes at 100 bytes per second.
  CHECK(seconds(platform, job, plan, network) == Approx(without + 0.25 * 3 * 9));
}
