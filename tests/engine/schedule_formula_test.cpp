// Schedules on a network that costs nothing: bubbles and micro-batches in flight equal the formulas.
#include <algorithm>
#include <map>

#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

Platform free_network(std::size_t devices) {
  Cluster cluster = test_cluster({devices}, BandwidthLimit::per_pair);
  cluster.between[0] = link_figures(0, 1e18);
  return load_cluster(cluster);
}

// Every chunk computes alike: no head, two layers each.
Job even_job(std::size_t stages, std::size_t chunks) {
  Job job = test_job(0.5, 1.25, 1, 1);
  job.model.head = Head::none;
  job.model.layers = static_cast<std::int64_t>(2 * stages * chunks);
  return job;
}

Plan even_plan(std::size_t stages, std::size_t micro_batches, std::size_t chunks, const std::string& schedule) {
  Plan plan = test_plan(stages, 1, micro_batches, schedule, "ring_all_reduce");
  plan.layers_per_stage.assign(stages, 2 * chunks);
  plan.virtual_stages = chunks;
  return plan;
}

struct Result {
  double end = 0;
  std::vector<std::size_t> in_flight;  // of each rank, most at once
};

// From the start of a forward to the end of the computation of kind `undone`.
Result run(const Platform& platform, const Job& job, const Plan& plan, TaskletKind undone) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
  GraphWorkload workload(graph);
  const Timeline timeline = simulate(platform, workload, {});
  Result result;
  result.end = timeline.end.value;
  for (std::size_t rank = 0; rank < plan.degrees.ranks(); ++rank) {
    std::multimap<double, int> changes;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const Tasklet& task = graph.tasklet(TaskletId(i));
      if (task.rank.value != rank) continue;
      if (task.kind == undone) changes.emplace(timeline.spans[i].finish.value - 1e-9, -1);
      if (task.kind == TaskletKind::forward) changes.emplace(timeline.spans[i].start.value, 1);
    }
    int now = 0;
    int most = 0;
    for (const auto& [time, change] : changes) most = std::max(most, now += change);
    result.in_flight.push_back(static_cast<std::size_t>(most));
  }
  return result;
}

std::vector<std::size_t> estimated_in_flight(const Job& job, const Plan& plan) {
  std::vector<std::size_t> result;
  for (const StageMemory& stage : stage_memory(job, plan)) result.push_back(stage.in_flight);
  return result;
}

// 24 h^2 FLOP in the gradients of the weights and 24 h^2 (1 + 2 c) in those of the inputs, c = s / (6 h).
Job split_job(double attention) {
  Job job = test_job(1, 2, 1, 1);
  job.recompute = Recompute::none;
  job.model = Model();
  job.model.name = "made for a test";
  job.model.heads = job.model.key_value_heads = 1;
  job.model.hidden = 1 << 20;
  job.model.feed_forward = 4 << 20;
  job.model.sequence = 1 + static_cast<std::int64_t>(attention * 6 * (1 << 20));
  job.model.layers = 24;
  job.model.head = Head::none;
  return job;
}

}  // namespace

TEST_CASE("interleaved 1F1B on v chunks has 1 / v of 1F1B's bubble: (p - 1) / (v m) of the ideal time") {
  for (std::size_t stages = 2; stages <= 4; ++stages) {
    const Platform platform = free_network(stages);
    for (std::size_t chunks = 2; chunks <= 4; ++chunks)
      for (std::size_t micro_batches = stages; micro_batches <= 3 * stages; micro_batches += stages) {
        INFO(stages << " stages, " << chunks << " chunks, " << micro_batches << " micro-batches");
        const Result result =
            run(platform, even_job(stages, chunks), even_plan(stages, micro_batches, chunks, "interleaved_1f1b"),
                TaskletKind::backward);
        const double ideal = static_cast<double>(micro_batches) * 1.75;
        CHECK(result.end / ideal - 1 ==
              Approx(static_cast<double>(stages - 1) / static_cast<double>(chunks * micro_batches)).margin(1e-9));
      }
  }
}

TEST_CASE("interleaved 1F1B keeps min(m v, 2 (p - stage) - 1 + (v - 1) p) chunks in flight") {
  for (std::size_t stages = 2; stages <= 4; ++stages) {
    const Platform platform = free_network(stages);
    for (std::size_t chunks = 2; chunks <= 4; ++chunks)
      for (std::size_t micro_batches = stages; micro_batches <= 3 * stages; micro_batches += stages) {
        INFO(stages << " stages, " << chunks << " chunks, " << micro_batches << " micro-batches");
        const Job job = even_job(stages, chunks);
        const Plan plan = even_plan(stages, micro_batches, chunks, "interleaved_1f1b");
        std::vector<std::size_t> formula;
        for (std::size_t stage = 0; stage < stages; ++stage)
          formula.push_back(std::min(micro_batches * chunks, 2 * (stages - stage) - 1 + (chunks - 1) * stages));
        CHECK(run(platform, job, plan, TaskletKind::backward).in_flight == formula);
        CHECK(estimated_in_flight(job, plan) == formula);
      }
  }
}

TEST_CASE("interleaving keeps 1 + (p - 1) / (p v) times the activations of 1F1B on the first stage") {
  const Job job = even_job(4, 3);
  const Bytes interleaved = stage_memory(job, even_plan(4, 8, 3, "interleaved_1f1b")).front().activations;
  Plan plan = even_plan(4, 8, 1, "1f1b");
  plan.layers_per_stage.assign(4, 6);
  CHECK(interleaved / stage_memory(job, plan).front().activations == Approx(1 + 3.0 / 12));
}

TEST_CASE("ZB-H1 has a bubble of (p - 1)(tF + tB - tW), where 1F1B has (p - 1)(tF + tB + tW)") {
  for (const double attention : {0.0, 0.1, 0.25})
    for (std::size_t stages = 1; stages <= 5; ++stages) {
      const Platform platform = free_network(stages);
      const Job job = split_job(attention);
      const double weights = 2 * 24 / (72 * (1 + attention) - 24 * (1 + attention));
      for (std::size_t micro_batches = stages; micro_batches <= 2 * stages + 1; ++micro_batches) {
        INFO(stages << " stages, " << micro_batches << " micro-batches, attention " << attention);
        const double ideal = static_cast<double>(micro_batches) * 3;
        const auto others = static_cast<double>(stages - 1);
        const Result split =
            run(platform, job, even_plan(stages, micro_batches, 1, "zb_h1"), TaskletKind::weight_gradient);
        CHECK(split.end - ideal == Approx(others * (1 + (2 - weights) - weights)).margin(1e-5));
        const Result whole = run(platform, job, even_plan(stages, micro_batches, 1, "1f1b"), TaskletKind::backward);
        CHECK(whole.end - ideal == Approx(others * 3).margin(1e-9));
      }
    }
}

TEST_CASE("ZB-H1 with fewer micro-batches than stages has a bubble of 2 p - 1 - m steps") {
  const Platform platform = free_network(5);
  for (std::size_t micro_batches = 1; micro_batches <= 5; ++micro_batches) {
    const Result result =
        run(platform, split_job(0), even_plan(5, micro_batches, 1, "zb_h1"), TaskletKind::weight_gradient);
    CHECK(result.end == Approx(2 * 5.0 - 1 + 2 * static_cast<double>(micro_batches)).margin(1e-5));
  }
}

TEST_CASE("ZB-H1 keeps min(m, p) micro-batches in flight on every stage, as many as 1F1B on the first") {
  for (std::size_t stages = 1; stages <= 5; ++stages) {
    const Platform platform = free_network(stages);
    for (const std::size_t micro_batches : {std::size_t{1}, stages, 2 * stages + 1}) {
      INFO(stages << " stages, " << micro_batches << " micro-batches");
      const Plan plan = even_plan(stages, micro_batches, 1, "zb_h1");
      const std::vector<std::size_t> formula(stages, std::min(micro_batches, stages));
      CHECK(run(platform, split_job(0), plan, TaskletKind::weight_gradient).in_flight == formula);
      CHECK(estimated_in_flight(split_job(0), plan) == formula);
    }
  }
}

TEST_CASE("new schedules run with synchronous transfers, replicas, slices, passes and sync groups, and do all FLOP") {
  Cluster cluster = test_cluster({1, 2, 1}, BandwidthLimit::per_pair);
  for (Machine& machine : cluster.machines) {
    machine.devices = 2;
    machine.inside = link_figures(0, 1000);
  }
  const Platform platform = load_cluster(cluster);
  Job job = test_job(1, 2, 100, 800);
  job.model.layers = 8;
  const auto flops = [&](const Plan& plan, std::size_t& transfers) {
    const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
    GraphWorkload workload(graph);
    CHECK(simulate(platform, workload, {}).end > Seconds());  // it does not get stuck
    Flops sum;
    transfers = 0;
    for (const Tasklet& task : graph.tasklets()) {
      sum += task.flops;
      transfers += task.kind == TaskletKind::activation_transfer ? 1 : 0;
    }
    return sum.value;
  };
  for (const bool synchronous : {false, true})
    for (const std::size_t groups : {1U, 2U, 4U}) {
      INFO(synchronous << ", " << groups << " groups");
      Plan plan = test_plan(2, 2, 4, "1f1b", "ring_all_reduce");
      plan.degrees.tensor = 2;
      for (std::size_t rank = 4; rank < 8; ++rank) plan.rank_of_device.emplace_back(rank);
      plan.layers_per_stage = {4, 4};
      plan.passes = 2;
      plan.sync_groups = groups;
      plan.synchronous_transfers = synchronous;
      std::size_t hops = 0;
      const double expected = flops(plan, hops);
      std::size_t more_hops = 0;
      plan.schedule = "zb_h1";
      CHECK(flops(plan, more_hops) == Approx(expected).epsilon(1e-12));
      CHECK(more_hops == hops);
      if (synchronous) continue;
      plan.schedule = "interleaved_1f1b";
      plan.virtual_stages = 2;
      CHECK(flops(plan, more_hops) == Approx(expected).epsilon(1e-12));
      CHECK(more_hops == 3 * hops);
    }
}
