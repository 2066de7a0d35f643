#include "sim/results/metrics.hpp"

#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

Metrics metrics_on(const Platform& platform, const Job& job, const Plan& plan, const NetworkModel& network = {}) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, network);
  GraphWorkload workload(graph);
  return metrics_of(job, plan, graph, simulate(platform, workload, network));
}

double sum(const Breakdown& parts) {
  return (parts.compute + parts.pipeline_bubble + parts.exposed_activation_transfer + parts.exposed_gradient_sync +
          parts.barriers)
      .value;
}

}  // namespace

TEST_CASE("the parts of an iteration are what can be worked out by hand, and add up") {
  // Two stages, two replicas, M = 3, f = 1, b = 2, message 2 s + 1 s, gradients 400 B by a ring of two.
  const Platform platform = load_cluster(test_cluster({4}, BandwidthLimit::per_pair));
  const Plan plan = test_plan(2, 2, 3, "gpipe", "ring_all_reduce");
  const Metrics metrics = metrics_on(platform, test_job(1, 2, 200, 400), plan);
  CHECK(metrics.breakdown.compute.value == Approx(3 * 3));
  CHECK(metrics.breakdown.pipeline_bubble.value == Approx(1 * 3));
  CHECK(metrics.breakdown.exposed_gradient_sync.value == Approx(2 * (1 + 2)));
  CHECK(metrics.breakdown.barriers.value == 0);
  // Forward: f + (2 + 1) + 2 x 2 + f against f M + f; backward: b + 3 + 2 x 2 + b against b M + b.
  CHECK(metrics.breakdown.exposed_activation_transfer.value == Approx((9 - 4) + (11 - 8)));
  CHECK(sum(metrics.breakdown) == Approx(metrics.iteration.value).epsilon(1e-12));
  CHECK(metrics.samples == 6);
  CHECK(metrics.samples_per_second == Approx(6 / metrics.iteration.value));
  CHECK(metrics.throughput.value ==
        Approx(iteration_flops(test_job(1, 2, 200, 400), 6).value / metrics.iteration.value));
}

TEST_CASE("barriers count from the last arrival to the last departure") {
  const Platform platform = load_cluster(test_cluster({4}, BandwidthLimit::per_pair));
  Plan plan = test_plan(1, 4, 3, "gpipe", "ring_all_reduce");
  plan.phase_barrier = true;
  const Metrics metrics = metrics_on(platform, test_job(1, 2, 200, 400), plan);
  CHECK(metrics.breakdown.barriers.value == Approx(3 * 2 * 1));
  CHECK(metrics.breakdown.compute.value == Approx(9));
  CHECK(metrics.breakdown.exposed_activation_transfer.value == Approx(0).margin(1e-9));
  CHECK(sum(metrics.breakdown) == Approx(metrics.iteration.value).epsilon(1e-12));
}

TEST_CASE("on one device everything is compute") {
  const Platform platform = load_cluster(test_cluster({1}, BandwidthLimit::per_pair));
  const Metrics metrics =
      metrics_on(platform, test_job(1, 2, 200, 400), test_plan(1, 1, 3, "gpipe", "ring_all_reduce"));
  CHECK(metrics.iteration.value == Approx(9));
  CHECK(metrics.breakdown.compute.value == Approx(9));
  CHECK(sum(metrics.breakdown) == Approx(9));
}

TEST_CASE("message handling counts as exposed activation transfer, not as compute") {
  const Platform platform = load_cluster(test_cluster({2}, BandwidthLimit::per_pair));
  NetworkModel network;
  network.message_cost = Seconds(0.5);
  const Metrics metrics =
      metrics_on(platform, test_job(1, 1, 1, 1), test_plan(2, 1, 1, "gpipe", "ring_all_reduce"), network);
  CHECK(metrics.breakdown.compute.value == Approx(2));
  CHECK(metrics.breakdown.exposed_activation_transfer.value == Approx(2 * (0.5 + 0.01 + 1)));
}
