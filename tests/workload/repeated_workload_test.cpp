// Several iterations: the order between them, and how much of them is known at a time.
#include "sim/workload/repeated_workload.hpp"

#include <deque>

#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

// Links that cost nothing that counts.
Platform free_network(std::size_t devices) {
  Cluster cluster = test_cluster({devices}, BandwidthLimit::per_pair);
  cluster.between[0] = link_figures(0, 1e12);
  return load_cluster(cluster);
}

struct Repeated {
  Timeline all;
  std::size_t tasklets = 0;  // of one iteration
  double mean() const { return all.end.value / static_cast<double>(all.iteration_ends.size()); }
};

Repeated repeat(const Platform& platform, const Job& job, const Plan& plan, std::size_t iterations) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
  RepeatedWorkload workload(graph, iterations);
  return {simulate(platform, workload, {}), graph.size()};
}

}  // namespace

TEST_CASE(
    "on a free network an iteration takes (micro-batches + stages - 1) x (forward + backward) + update, on average") {
  Job job = test_job(1, 2, 0, 0);
  job.compute.weight_update = Seconds(0.5);
  for (const char* schedule : {"gpipe", "1f1b"})
    for (const std::size_t stages : {1, 2, 4}) {
      const Plan plan = test_plan(stages, 8 / stages, 6, schedule, "ring_all_reduce");
      const Repeated run = repeat(free_network(8), job, plan, 5);
      INFO(schedule << " " << stages);
      REQUIRE(run.all.iteration_ends.size() == 5);
      CHECK(run.mean() == Approx(static_cast<double>(6 + stages - 1) * 3 + 0.5).epsilon(1e-6));
    }
}

TEST_CASE("iterations follow each other rank by rank: stages that are done early wait for their sync only") {
  // The last stage syncs and updates while the first still computes, so that only the first stage's sync lies between.
  const Platform platform = load_cluster(test_cluster({4}, BandwidthLimit::per_pair));
  const Job job = test_job(1, 1, 0, 100);
  const Plan plan = test_plan(2, 2, 4, "gpipe", "ring_all_reduce");
  const Repeated one = repeat(platform, job, plan, 1), four = repeat(platform, job, plan, 4);
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
  GraphWorkload static_graph(graph);
  CHECK(one.all.end.value == Approx(simulate(platform, static_graph, {}).end.value).epsilon(1e-12));
  CHECK(four.mean() <= one.all.end.value + 1e-9);
  for (std::size_t i = 1; i < 4; ++i) CHECK(four.all.iteration_ends[i - 1] < four.all.iteration_ends[i]);
}

TEST_CASE("a barrier at both ends of an iteration makes iterations independent: each takes what one takes") {
  const Platform platform = load_cluster(test_cluster({4}, BandwidthLimit::per_pair));
  const Job job = test_job(1, 2, 50, 100);
  Plan plan = test_plan(2, 2, 3, "gpipe", "central_server");
  plan.phase_barrier = true;
  const double alone = repeat(platform, job, plan, 1).all.end.value;
  const Repeated three = repeat(platform, job, plan, 3);
  CHECK(three.mean() == Approx(alone).epsilon(1e-9));
  const Timeline last = last_iteration(three.all, three.tasklets);
  CHECK(last.end.value >= alone - 1e-9);  // the first rank has left the barrier before the last one has
  CHECK(last.end.value < 2 * alone);
  CHECK(last.spans.size() == three.tasklets);
}

TEST_CASE("a thousand iterations need the tasklets of two") {
  const Plan plan = test_plan(2, 2, 3, "1f1b", "ring_all_reduce");
  const PlatformView view = load_cluster(test_cluster({4}, BandwidthLimit::per_pair)).view;
  const TaskletGraph graph = pipeline_tasklets(test_job(1, 2, 50, 100), plan, view, {});
  RepeatedWorkload workload(graph, 1000);
  const std::vector<TaskletId>& first = workload.start();
  std::deque<TaskletId> running(first.begin(), first.end());
  std::size_t finished = 0, most = running.size(), highest = 0;
  for (; !running.empty(); ++finished) {
    const TaskletId id = running.front();
    running.pop_front();
    highest = std::max(highest, std::size_t{id.value});
    for (const TaskletId next : workload.on_finished(id, Seconds(static_cast<double>(finished))))
      running.push_back(next);
    most = std::max(most, running.size());
  }
  CHECK(finished == 1000 * graph.size());
  CHECK(workload.total() == finished);
  CHECK(workload.iteration_ends().size() == 1000);
  CHECK(workload.tasklets().size() == 2 * graph.size());
  CHECK(highest < 2 * graph.size());
  CHECK(most < 2 * graph.size());
}
