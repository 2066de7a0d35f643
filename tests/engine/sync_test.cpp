// Gradient sync as a plan chooses it, against closed forms.
#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/results/metrics.hpp"
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
