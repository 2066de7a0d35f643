// Schedules on a network that costs nothing: bubbles and micro-batches in flight equal the formulas.
#include <algorithm>
#include <cmath>
#include <map>

#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "sim/workload/stage_part.hpp"
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
  const Timeline timeline = simulate(platform, graph, {}, Engine::fast).timeline;
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

// ---- for all p from 1 to 6, m from 1 to 12, v from 1 to 4 that a schedule runs

constexpr std::size_t most_stages = 6;
constexpr std::size_t most_micro_batches = 12;
constexpr double forward_and_backward = 1.75;

// Calls `check(p, m, plan, result)` for each; in flight is from the start of a forward to the end of what `undone` names.
template <class Check>
void for_all(const std::string& schedule, std::size_t chunks, const Job& job, TaskletKind undone, Check check) {
  for (std::size_t p = 1; p <= most_stages; ++p) {
    const Platform platform = free_network(p);
    for (std::size_t m = 1; m <= most_micro_batches; ++m) {
      const Plan plan = even_plan(p, m, chunks, schedule);
      if (!can_run(*find_pipeline_schedule(schedule), shape_of(plan))) continue;
      INFO(schedule << ": " << p << " stages, " << m << " micro-batches, " << chunks << " chunks");
      const Result result = run(platform, job, plan, undone);
      check(static_cast<double>(p), static_cast<double>(m), plan, result);
    }
  }
}

// What `of_stage` says of each stage.
template <class OfStage>
std::vector<std::size_t> for_stages(const Plan& plan, OfStage of_stage) {
  std::vector<std::size_t> result;
  for (std::size_t stage = 0; stage < plan.degrees.pipeline; ++stage) result.push_back(of_stage(stage));
  return result;
}

TEST_CASE(
    "GPipe has a bubble of (p - 1)(tF + tB), (p - 1) / (m + p - 1) of its time, and m micro-batches in flight") {
  // arXiv 1811.06965 section 2.3 and 2104.04473 section 2.2.1
  const Job job = even_job(1, 12);
  for_all("gpipe", 1, job, TaskletKind::backward, [&](double p, double m, const Plan& plan, const Result& result) {
    CHECK(1 - m * forward_and_backward / result.end == Approx((p - 1) / (m + p - 1)).margin(1e-9));
    const auto formula = for_stages(plan, [&](std::size_t) { return plan.micro_batches; });
    CHECK(result.in_flight == formula);
    CHECK(estimated_in_flight(job, plan) == formula);
  });
}

TEST_CASE("1F1B has GPipe's bubble and min(m, p - stage) micro-batches in flight") {
  // arXiv 2104.04473 section 2.2.1
  const Job job = even_job(1, 12);
  for_all("1f1b", 1, job, TaskletKind::backward, [&](double p, double m, const Plan& plan, const Result& result) {
    CHECK(1 - m * forward_and_backward / result.end == Approx((p - 1) / (m + p - 1)).margin(1e-9));
    const auto formula = for_stages(
        plan, [&](std::size_t stage) { return std::min(plan.micro_batches, plan.degrees.pipeline - stage); });
    CHECK(result.in_flight == formula);
    CHECK(estimated_in_flight(job, plan) == formula);
  });
}

TEST_CASE(
    "interleaved 1F1B on v chunks has a bubble of (p - 1)(tF + tB) / v and min(m v, 2 (p - stage) - 1 + (v - 1) p) "
    "chunks in flight") {
  // arXiv 2104.04473 section 2.2.2; in flight: its warm-up and the one that follows
  std::size_t shapes = 0;
  for (std::size_t chunks = 1; chunks <= 4; ++chunks) {
    const Job job = even_job(1, 12);
    for_all("interleaved_1f1b", chunks, job, TaskletKind::backward,
            [&](double p, double m, const Plan& plan, const Result& result) {
              ++shapes;
              const auto v = static_cast<double>(chunks);
              CHECK(result.end / (m * forward_and_backward) - 1 == Approx((p - 1) / (v * m)).margin(1e-9));
              const auto formula = for_stages(plan, [&](std::size_t stage) {
                const std::size_t stages = plan.degrees.pipeline;
                return std::min(plan.micro_batches * chunks, 2 * (stages - stage) - 1 + (chunks - 1) * stages);
              });
              CHECK(result.in_flight == formula);
              CHECK(estimated_in_flight(job, plan) == formula);
            });
  }
  CHECK(shapes == 3 * (6 + 4 + 3 + 2 + 2));  // multiples of 2 to 6 up to 12, with 2 to 4 chunks
}

TEST_CASE("ZB-H1 has a bubble of (p - 1)(tF + tB - tW) and min(m, p) micro-batches in flight on every stage") {
  // arXiv 2401.10241 table 2, with tF = tB = tW; with fewer micro-batches than stages 2 p - 1 - m steps are left
  const Job job = split_job(0);
  for_all("zb_h1", 1, job, TaskletKind::weight_gradient,
          [&](double p, double m, const Plan& plan, const Result& result) {
            CHECK(result.end - 3 * m == Approx(m >= p ? p - 1 : 2 * p - 1 - m).margin(1e-5));
            const auto formula =
                for_stages(plan, [&](std::size_t) { return std::min(plan.micro_batches, plan.degrees.pipeline); });
            CHECK(result.in_flight == formula);
            CHECK(estimated_in_flight(job, plan) == formula);
          });
}

TEST_CASE(
    "with w forwards ahead per stage 1F1B keeps min(m, w + 1) micro-batches in flight; what is refused beside "
    "synchronous transfers would get stuck") {
  const Job job = even_job(1, 12);
  for (std::size_t p = 1; p <= 4; ++p) {
    const Platform platform = free_network(p);
    const std::size_t choices = p < 4 ? 6 : 5;
    for (std::size_t code = 0; code < static_cast<std::size_t>(std::pow(choices, p)); ++code)
      for (const std::size_t m : {1U, 3U, 6U}) {
        Plan plan = even_plan(p, m, 1, "1f1b");
        for (std::size_t stage = 0, rest = code; stage < p; ++stage, rest /= choices)
          plan.warm_up.push_back(rest % choices);
        if (!can_run(*find_pipeline_schedule("1f1b"), shape_of(plan))) continue;
        INFO(p << " stages, " << m << " micro-batches, ahead " << code);
        const Result result = run(platform, job, plan, TaskletKind::backward);
        const auto formula =
            for_stages(plan, [&](std::size_t stage) { return std::min(m, plan.warm_up[stage] + 1); });
        CHECK(result.in_flight == formula);
        CHECK(estimated_in_flight(job, plan) == formula);
        const double usual = static_cast<double>(m + p - 1) * forward_and_backward;
        CHECK(result.end >= usual - 1e-9);  // no other counts are faster on a free network
        plan.synchronous_transfers = true;
        if (can_run(plan))
          CHECK(run(platform, job, plan, TaskletKind::backward).end >= usual - 1e-9);
        else
          CHECK_THROWS(run(platform, job, plan, TaskletKind::backward));
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
