// Gradient sync as a plan chooses it, against closed forms.
#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/results/metrics.hpp"
#include "sim/workload/collective_workload.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

constexpr double exact = 1e-9;

Metrics metrics_on(const Platform& platform, const Job& job, const Plan& plan) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
  GraphWorkload workload(graph);
  return metrics_of(job, plan, graph, simulate(platform, workload, {}));
}

// Layers only, so that they share time and bytes evenly.
Job bare_job(double forward, double backward, double activation, double gradient) {
  Job job = test_job(forward, backward, activation, gradient);
  job.model.head = Head::none;
  job.model.vocabulary = job.model.positions = 0;
  return job;
}

Seconds sync_time(const char* collective, std::size_t members, double bytes, const Platform& platform,
                  const NetworkModel& network = {}) {
  Plan plan = test_plan(1, members, 1, "gpipe", collective);
  plan.workload = "collective";
  const TaskletGraph graph = collective_tasklets(test_job(1, 1, 1, bytes), plan, platform.view, network);
  GraphWorkload workload(graph);
  return simulate(platform, workload, network).end;
}

Platform pairwise(std::size_t devices) { return load_cluster(test_cluster({devices}, BandwidthLimit::per_pair)); }

}  // namespace

TEST_CASE("sync of the last layers overlaps the backward of the first") {
  // A ring of two, 1200 B in two groups: each has two steps of 300 B. The first group starts after half of the backward, at
  // 2 s; from then on the send streams are never idle: 4 x 3 s, and a latency.
  Plan plan = test_plan(1, 2, 1, "gpipe", "ring_all_reduce");
  const Job job = bare_job(1, 2, 1, 1200);
  const Platform platform = pairwise(2);
  CHECK(metrics_on(platform, job, plan).iteration.value == Approx(1 + 2 + 2 * (6 + 1)).margin(exact));
  plan.sync_groups = 2;
  const Metrics metrics = metrics_on(platform, job, plan);
  CHECK(metrics.iteration.value == Approx(2 + 4 * 3 + 1).margin(exact));
  CHECK(metrics.breakdown.compute.value == Approx(3).margin(exact));
}

TEST_CASE("where backward is slow only the last group's sync is exposed") {
  // 24 groups of a layer, each 10 s of backward, synchronised in 2 (1 + 0.5) s.
  Plan plan = test_plan(1, 2, 2, "1f1b", "ring_all_reduce");
  plan.sync_groups = 24;
  plan.passes = 2;
  const Metrics metrics = metrics_on(pairwise(2), bare_job(1, 240, 1, 2400), plan);
  CHECK(metrics.iteration.value == Approx(4 * 241 + 2 * (1 + 0.5)).margin(exact));
  CHECK(metrics.breakdown.exposed_gradient_sync.value == Approx(3).margin(exact));
}

TEST_CASE("a pipeline with sync groups computes the same, and the weights wait for every group") {
  Plan plan = test_plan(3, 2, 4, "1f1b", "ring_all_reduce");
  Job job = bare_job(1, 2, 100, 1200);
  job.compute.weight_update = Seconds(5);
  for (const bool synchronous : {false, true}) {
    plan.synchronous_transfers = synchronous;
    plan.sync_groups = 1;
    const Metrics whole = metrics_on(pairwise(6), job, plan);
    plan.sync_groups = 4;
    const TaskletGraph graph = pipeline_tasklets(job, plan, pairwise(6).view, {});
    GraphWorkload workload(graph);
    const Timeline timeline = simulate(pairwise(6), workload, {});
    const Metrics split = metrics_of(job, plan, graph, timeline);
    CHECK(split.breakdown.compute.value == Approx(whole.breakdown.compute.value));
    for (std::size_t update = 0; update < graph.size(); ++update) {
      if (graph.tasklet(TaskletId(update)).kind != TaskletKind::weight_update) continue;
      for (std::size_t transfer = 0; transfer < graph.size(); ++transfer) {
        const Tasklet& task = graph.tasklet(TaskletId(transfer));
        if (task.kind == TaskletKind::gradient_transfer && task.target == graph.tasklet(TaskletId(update)).device)
          CHECK(timeline.spans[transfer].finish <= timeline.spans[update].start);
      }
    }
  }
}

TEST_CASE("half rings take (n - 1)(alpha + B / (n beta)), an exchange one latency") {
  for (const std::size_t members : {2U, 3U, 5U, 8U}) {
    INFO(members);
    const auto n = static_cast<double>(members);
    const double bytes = 240 * n;
    const Platform platform = pairwise(members);
    CHECK(sync_time("reduce_scatter", members, bytes, platform).value == Approx((n - 1) * (1 + 2.4)).margin(exact));
    CHECK(sync_time("all_gather", members, bytes, platform).value == Approx((n - 1) * (1 + 2.4)).margin(exact));
    CHECK(sync_time("all_to_all", members, bytes, platform).value == Approx((n - 1) * 2.4 + 1).margin(exact));
    NetworkModel network;
    network.ring_chunk = Bytes(120);
    CHECK(sync_time("all_gather", members, bytes, platform, network).value ==
          Approx(2 * (n - 1) * (1 + 1.2)).margin(exact));
  }
}

TEST_CASE(
    "halving and doubling takes 2 log2(p) alpha + 2 (p - 1) / p B / beta, two messages more where n is no power") {
  for (const std::size_t members : {2U, 3U, 4U, 6U, 8U, 9U, 13U}) {
    INFO(members);
    double power = 1;
    double levels = 0;
    for (; 2 * power <= static_cast<double>(members); power *= 2) ++levels;
    const double stand_in = power < static_cast<double>(members) ? 2 * (1 + 16) : 0;
    const double expected = 2 * levels + 2 * (power - 1) / power * 16 + stand_in;
    const double seconds = sync_time("recursive_halving_doubling", members, 1600, pairwise(members)).value;
    // Who stands in for nobody starts at once, and may then stand in the way of one message of another.
    CHECK(seconds >= Approx(expected).margin(exact));
    CHECK(seconds <= Approx(expected + (stand_in > 0 ? 0.1 * expected : 0)).margin(exact));
  }
}

TEST_CASE("a hierarchical ring takes its two levels, each on its own links") {
  // Inside 1 s and 100 B/s, between regions 7 s and 100 B/s; regions of three: (m - 1) = 2 steps of B / 3 twice, and
  // 2 (R - 1) steps of B / (3 R).
  for (const std::size_t regions : {2U, 3U, 4U}) {
    Cluster cluster = test_cluster(std::vector<std::size_t>(regions, 3), BandwidthLimit::per_pair);
    for (std::size_t from = 0; from < regions; ++from)
      for (std::size_t to = 0; to < regions; ++to)
        if (from != to) cluster.between[from * regions + to] = link_figures(7, 100);
    const auto r = static_cast<double>(regions);
    INFO(regions);
    CHECK(sync_time("hierarchical_ring", 3 * regions, 3600, load_cluster(cluster)).value ==
          Approx(2 * 2 * (1 + 12) + 2 * (r - 1) * (7 + 12 / r)).margin(exact));
  }
}

TEST_CASE("a hierarchical ring of uneven regions sums halves of the larger with who stands alone") {
  // Regions of two and one, 600 B: halves scattered and gathered in 1 + 3 s, and between the regions two rings of two, each two
  // steps of 7 s and 1.5 s, of which the one who stands alone sends both: 1.5 s more.
  Cluster cluster = test_cluster({2, 1}, BandwidthLimit::per_pair);
  cluster.between[1] = cluster.between[2] = link_figures(7, 100);
  CHECK(sync_time("hierarchical_ring", 3, 600, load_cluster(cluster)).value ==
        Approx(2 * 4 + 2 * (7 + 1.5) + 1.5).margin(exact));
}

TEST_CASE("in one region a hierarchical ring goes by machines") {
  // Two machines of two: inside 0 s and 1000 B/s, between them 1 s and 100 B/s.
  Cluster cluster = test_cluster({2}, BandwidthLimit::per_pair);
  for (Machine& machine : cluster.machines) {
    machine.devices = 2;
    machine.inside = link_figures(0, 1000);
  }
  CHECK(sync_time("hierarchical_ring", 4, 2000, load_cluster(cluster)).value ==
        Approx(2 * 1 + 2 * (1 + 5)).margin(exact));
}

TEST_CASE("small messages pass two trees in 2 (floor(log2(n - 1)) + 1) latencies, large ones at most 2 B each") {
  for (const std::size_t members : {2U, 3U, 5U, 8U, 9U, 12U}) {
    INFO(members);
    Cluster cluster = test_cluster({members}, BandwidthLimit::per_pair);
    double depth = 1;
    for (std::size_t position = members - 1; position > 1; position /= 2) ++depth;
    cluster.between[0] = link_figures(1, 1e12);
    CHECK(sync_time("double_binary_tree", members, 200, load_cluster(cluster)).value ==
          Approx(2 * depth).margin(1e-6));
  }
  // Half the bytes each way between two. Who sends most among nine sends 2 B, and waits where two children send at once.
  NetworkModel network;
  network.chunk = Bytes(1e4);
  CHECK(sync_time("double_binary_tree", 2, 2e6, pairwise(2), network).value == Approx(2e4 + 1).margin(exact));
  const double nine = sync_time("double_binary_tree", 9, 2e6, pairwise(9), network).value;
  CHECK(nine >= 2 * 2e4);
  CHECK(nine <= 1.7 * 2 * 2e4);
}
