// ZeRO: bytes, times and memory against the formulas of arXiv 1910.02054.
#include <map>

#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "sim/workload/rank_times.hpp"
#include "sim/workload/repeated_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

constexpr double exact = 1e-9;

Plan plan_of(std::size_t replicas, std::size_t zero, std::size_t micro_batches = 1, std::size_t groups = 1) {
  Plan plan = test_plan(1, replicas, micro_batches, "1f1b", "ring_all_reduce");
  plan.zero = zero;
  plan.sync_groups = groups;
  return plan;
}

Platform pairwise(std::size_t devices) { return load_cluster(test_cluster({devices}, BandwidthLimit::per_pair)); }

double seconds(const Platform& platform, const Job& job, const Plan& plan) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
  GraphWorkload workload(graph);
  return simulate(platform, workload, {}).end.value;
}

// What every rank sends in an iteration, in shares of the bytes psi of its stage's gradients; -1 if they differ.
double volume(const Job& job, const Plan& plan) {
  const PlatformView platform{"test", std::vector<Device>(plan.degrees.ranks()),
                              std::vector<Path>(plan.degrees.ranks() * plan.degrees.ranks())};
  std::map<std::size_t, double> sent;
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform, {});
  for (const Tasklet& task : graph.tasklets())
    if (task.kind == TaskletKind::gradient_transfer || task.kind == TaskletKind::parameter_transfer)
      sent[task.rank.value] += task.bytes.value;
  const double psi = job.gradient_bytes->value / static_cast<double>(plan.degrees.tensor);
  for (const auto& [rank, bytes] : sent)
    if (std::abs(bytes - sent.begin()->second) > 1e-6 * bytes) return -1;
  return sent.begin()->second / psi;
}

}  // namespace

TEST_CASE("ZeRO-1 and -2 send 2 psi as data parallelism does, ZeRO-3 3 psi") {
  const Job job = test_job(1, 2, 100, 1e6);
  for (const std::size_t replicas : {2U, 5U})
    for (const std::size_t groups : {1U, 4U, 24U}) {
      INFO(replicas << " replicas, " << groups << " groups");
      const double others =
          static_cast<double>(replicas - 1) / static_cast<double>(replicas);  // rings send to others
      for (const std::size_t zero : {0U, 1U, 2U})
        CHECK(volume(job, plan_of(replicas, zero, 1, groups)) == Approx(2 * others));
      CHECK(volume(job, plan_of(replicas, 3, 1, groups)) == Approx(3 * others));
    }
}

TEST_CASE("ZeRO-2 scatters gradients with every micro-batch, ZeRO-3 sends 3 psi for each") {
  const Job job = test_job(1, 2, 100, 1e6);
  Plan plan = plan_of(2, 1, 3, 2);
  plan.passes = 2;
  CHECK(volume(job, plan) == Approx(2 * 0.5));
  plan.zero = 2;
  CHECK(volume(job, plan) == Approx((6 + 1) * 0.5));
  plan.zero = 3;
  CHECK(volume(job, plan) == Approx(6 * 3 * 0.5));
}

TEST_CASE("ZeRO shards slices and stages for themselves") {
  const Job job = test_job(1, 2, 100, 1e6);
  Plan plan = test_plan(2, 3, 4, "zb_h1", "ring_all_reduce");
  plan.degrees.tensor = 2;
  for (std::size_t rank = 6; rank < 12; ++rank) plan.rank_of_device.emplace_back(rank);
  plan.zero = 1;
  CHECK(volume(job, plan) == Approx(2 * 2.0 / 3));
  plan = plan_of(3, 3, 2, 4);
  plan.degrees.tensor = 2;
  for (std::size_t rank = 3; rank < 6; ++rank) plan.rank_of_device.emplace_back(rank);
  for (const char* schedule : {"1f1b", "gpipe", "zb_h1"}) {
    plan.schedule = schedule;
    CHECK(volume(job, plan) == Approx(2 * 3 * 2.0 / 3));
  }
}

TEST_CASE("ZeRO-1 takes as long as a ring all-reduce, and 1 / d of the weight update") {
  // n = 4, shares of 300 B at 100 B/s and 1 s of latency; an update of 8 s.
  const Platform platform = pairwise(4);
  Job job = test_job(1, 2, 1, 1200);
  job.compute.weight_update = Seconds(8);
  CHECK(seconds(platform, job, plan_of(4, 0)) == Approx(3 + 6 * (1 + 3) + 8).margin(exact));
  CHECK(seconds(platform, job, plan_of(4, 1)) == Approx(3 + 6 * (1 + 3) + 2).margin(exact));
  CHECK(seconds(platform, job, plan_of(4, 2)) == Approx(3 + 6 * (1 + 3) + 2).margin(exact));
}

TEST_CASE("ZeRO-3 hides all but the first gather and the last scatter behind long computations") {
  const Platform platform = pairwise(4);
  const double ring = 3 * (1 + 3);
  CHECK(seconds(platform, test_job(100, 200, 1, 1200), plan_of(4, 3)) == Approx(ring + 300 + ring).margin(exact));
  CHECK(seconds(platform, test_job(100, 200, 1, 1200), plan_of(4, 3, 2)) == Approx(ring + 600 + ring).margin(exact));
}

TEST_CASE("ZeRO-3 waits for gathers where computing takes no time") {
  // Two replicas, forward, backward: each a gather of 600 B, one after the other; then the scatter.
  const Platform platform = pairwise(2);
  CHECK(seconds(platform, test_job(0, 0, 1, 1200), plan_of(2, 3)) == Approx(3 * (1 + 6)).margin(exact));
}

TEST_CASE("an iteration with ZeRO begins when the last has gathered and updated everything") {
  const Platform platform = pairwise(3);
  Job job = test_job(1, 2, 1, 1200);
  job.compute.weight_update = Seconds(3);
  for (const std::size_t zero : {1U, 2U, 3U}) {
    const TaskletGraph graph = pipeline_tasklets(job, plan_of(3, zero, 2, 4), platform.view, {});
    GraphWorkload once(graph);
    RepeatedWorkload thrice(graph, 3);
    const double one = simulate(platform, once, {}).end.value;
    CHECK(simulate(platform, thrice, {}).end.value == Approx(3 * one).margin(exact));
  }
}

TEST_CASE("one replica has nothing to shard") {
  const Platform platform = pairwise(1);
  const Job job = test_job(1, 2, 1, 1200);
  for (const std::size_t zero : {1U, 2U, 3U}) CHECK(seconds(platform, job, plan_of(1, zero)) == 3);
}

TEST_CASE("ZeRO keeps 4 + 12 / d, 2 + 14 / d and 16 / d bytes per parameter, and what it gathers") {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  const double parameters = total_parameters(job.model);
  for (const std::size_t replicas : {2U, 8U, 64U}) {
    const auto d = static_cast<double>(replicas);
    const auto bytes = [&](std::size_t zero, std::size_t groups) {
      const StageMemory stage = stage_memory(job, plan_of(replicas, zero, 1, groups)).front();
      return (stage.parameters + stage.gradients + stage.optimizer).value / parameters;
    };
    CHECK(bytes(0, 1) == Approx(16));
    CHECK(bytes(1, 1) == Approx(4 + 12 / d));
    CHECK(bytes(2, 1) == Approx(2 + 14 / d));
    CHECK(bytes(3, 1) == Approx(16 / d + 2));
    const double layer = parameters_per_layer(job.model);
    const double ends = 2 * layer + embedding_parameters(job.model) + head_parameters(job.model);
    CHECK(bytes(3, 24) ==
          Approx(16 / d + 2 * ends / parameters));  // the two largest groups are the first and the last
  }
}

TEST_CASE("uneven shards: each replica keeps and updates its own") {
  Job job = test_job(1, 2, 100, 1e6);
  job.compute.weight_update = Seconds(8);
  Plan plan = plan_of(4, 1);
  const std::vector<StageMemory> even = stage_memory(job, plan);
  REQUIRE(even.size() == 1);
  plan.shards = {0.7, 0.2, 0.1, 0};
  const std::vector<StageMemory> stages = stage_memory(job, plan);
  REQUIRE(stages.size() == 4);
  const RankTimes times(job, plan, pairwise(4).view, {});
  for (std::size_t replica = 0; replica < 4; ++replica) {
    CHECK(stages[replica].optimizer.value == Approx(even[0].optimizer.value * 4 * plan.shards[replica]));
    CHECK(stages[replica].parameters == even[0].parameters);
    CHECK(stages[replica].replica == Replica(replica));
    Tasklet update;
    update.kind = TaskletKind::weight_update;
    update.rank = RankId(replica);
    times.set_times(update);
    CHECK(update.compute.value == Approx(8 * plan.shards[replica]));
  }
  plan.zero = 3;
  CHECK(stage_memory(job, plan)[3].gradients.value == 0);
}
