// Work shared out by the speed of devices, and the changes of plans whose replicas differ.
#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include "scheduler/balanced_plan.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/uneven_climb.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/memory.hpp"
#include "tests/scheduler/cases.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

constexpr double base_speed = 100e12;

// Devices of these speeds, in shares of base_speed, and of these bytes; every path is fast.
PlatformView devices_of(const std::vector<double>& speeds, const std::vector<double>& bytes = {}) {
  std::vector<Device> devices;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const std::string name = "d" + std::to_string(i);
    const double memory = bytes.empty() ? 0 : bytes[i];
    Device device;
    device.name = device.machine = name;
    device.type = "x" + std::to_string(static_cast<int>(speeds[i] * 10));
    device.region = "r";
    device.memory = Bytes(memory);
    device.peak = FlopsPerSecond(base_speed * speeds[i]);
    devices.push_back(device);
  }
  return {"test", devices, std::vector<Path>(speeds.size() * speeds.size(), Path{Seconds(0), BytesPerSecond(1e15)})};
}

Job job_of(std::int64_t layers) {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  job.model.head = Head::none;
  job.model.layers = layers;
  return job;
}

Plan plan_of(std::size_t pipeline, std::size_t data, std::size_t layers, std::size_t micro_batches) {
  Plan plan = test_plan(pipeline, data, micro_batches, "1f1b", "ring_all_reduce");
  plan.layers_per_stage = even_layers(layers, pipeline);
  return plan;
}

// The least slowest stage of all ways to cut the layers.
double best_cut(const std::vector<double>& speeds, std::size_t stage, std::size_t layers) {
  if (stage + 1 == speeds.size()) return static_cast<double>(layers) / speeds[stage];
  double best = 1e99;
  for (std::size_t own = 1; own + (speeds.size() - stage - 1) <= layers; ++own)
    best =
        std::min(best, std::max(static_cast<double>(own) / speeds[stage], best_cut(speeds, stage + 1, layers - own)));
  return best;
}

}  // namespace

TEST_CASE("layers go to the stages that are done with them first: the least slowest stage of all cuts") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomStream random(seed, "speeds");
    std::vector<double> speeds(2 + random.below(3));
    for (double& speed : speeds) speed = 0.5 + static_cast<double>(random.below(40)) / 10;
    const std::size_t layers = speeds.size() + random.below(12);
    const PlatformView platform = devices_of(speeds);
    const Job job = job_of(static_cast<std::int64_t>(layers));
    const Plan plan = balanced(job, plan_of(speeds.size(), 1, layers, 4), platform, {true, false});
    const std::vector<std::size_t> cut = plan.pipeline(Replica(0)).layers;
    CHECK(std::accumulate(cut.begin(), cut.end(), std::size_t{0}) == layers);
    double slowest = 0;
    for (std::size_t stage = 0; stage < cut.size(); ++stage)
      slowest = std::max(slowest, static_cast<double>(cut[stage]) / speeds[stage]);
    INFO("seed " << seed);
    CHECK(slowest == Approx(best_cut(speeds, 0, layers)));
  }
}

TEST_CASE("a fast device with little memory gets no more layers than it holds") {
  const Job job = job_of(20);
  const Plan even = plan_of(2, 1, 20, 4);
  Plan five = even;
  five.layers_per_stage = {5, 15};
  const double room = stage_memory(job, five)[0].total().value;
  const Plan plan = balanced(job, even, devices_of({10, 1}, {room * 1.001, 1e12}), {true, false});
  CHECK(plan.layers_per_stage == std::vector<std::size_t>{5, 15});
  // Where it fits no way, nothing changes: a run says so.
  CHECK(balanced(job, even, devices_of({10, 1}, {room, 1e3}), {true, false}) == even);
}

TEST_CASE("micro-batches go to the replicas that are done with them first") {
  const Job job = job_of(8);
  const Plan plan = balanced(job, plan_of(1, 3, 8, 12), devices_of({1, 2, 3}), {false, true});
  REQUIRE(plan.pipelines.size() == 3);
  CHECK(plan.pipelines[0].micro_batches == 6);
  CHECK(plan.pipelines[1].micro_batches == 12);
  CHECK(plan.pipelines[2].micro_batches == 18);
  CHECK(samples_per_iteration(plan) == 36);
}

TEST_CASE("with sharded parameters replicas run as many micro-batches, of sizes by speed") {
  Plan plan = plan_of(1, 2, 8, 5);
  plan.zero = 3;
  plan.micro_batch_size = 8;
  const Plan result = balanced(job_of(8), plan, devices_of({3, 1}), {true, true});
  REQUIRE(result.pipelines.size() == 2);
  CHECK(result.pipelines[0].micro_batch_size == 12);
  CHECK(result.pipelines[1].micro_batch_size == 4);
  CHECK(result.pipelines[1].micro_batches == 5);
  CHECK(samples_per_iteration(result) == samples_per_iteration(plan));
}

TEST_CASE("equal devices get equal shares: the plan stays one of degrees") {
  const Plan plan = plan_of(4, 2, 8, 6);
  CHECK(balanced(job_of(8), plan, devices_of(std::vector<double>(8, 1)), {true, true}) == plan);
  Plan chunks = plan_of(2, 1, 8, 4);
  chunks.virtual_stages = 2;
  chunks.schedule = "interleaved_1f1b";
  CHECK(balanced(job_of(8), chunks, devices_of({1, 3}), {true, true}) == chunks);
}

TEST_CASE("ranks that are pinned to a type end on such devices, the others move as little as need be") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed, "pins");
    std::vector<double> speeds(12);
    std::vector<std::size_t> of_type(3, 0);
    for (double& speed : speeds) {
      const std::size_t type = random.below(3);
      speed = static_cast<double>(1 + type);
      ++of_type[type];
    }
    const PlatformView platform = devices_of(speeds);
    std::vector<PipelinePlan> pipelines(12, PipelinePlan{{8}, {1}, 1, 1, {}, ""});
    for (std::size_t i = 0; i < 12; ++i) {
      const std::size_t type = random.below(4);
      if (type < 3 && of_type[type] > 0) {
        --of_type[type];
        pipelines[i].device_type = "x" + std::to_string(10 * (type + 1));
      }
    }
    Plan plan = test_plan(1, 1, 1, "1f1b", "ring_all_reduce");
    set_pipelines(plan, pipelines);
    std::vector<RankId> ranks;
    for (std::size_t i = 0; i < 12; ++i) ranks.emplace_back(i);
    const std::vector<RankId> placed = on_their_types(plan, platform, ranks);
    CHECK(std::is_permutation(placed.begin(), placed.end(), ranks.begin(), ranks.end()));
    for (std::size_t device = 0; device < 12 && !plan.pipelines.empty(); ++device) {
      const std::string& type = plan.pipelines[placed[device].value].device_type;
      CHECK((type.empty() || type == platform.device(DeviceId(device)).type));
    }
    CHECK(on_their_types(plan, platform, placed) == placed);
  }
}

TEST_CASE("random changes keep the model whole, the batch as large, and one rank per device") {
  const Job job = job_of(12);
  const PlatformView platform = devices_of({1, 1, 2, 2, 3, 3, 1, 2, 3});
  Problem problem = cases::problem_on(platform, {3, 3});
  problem.job = &job;
  Plan plan = test_plan(1, 1, 1, "1f1b", "ring_all_reduce");
  set_pipelines(plan,
                {{{4, 4, 4}, {1, 2, 1}, 2, 9, {}, ""}, {{6, 6}, {1, 2}, 2, 7, {}, ""}, {{12}, {2}, 2, 5, {}, ""}});
  for (std::size_t rank = 0; rank < 9; ++rank) plan.rank_of_device.emplace_back(rank);
  problem.fixed = plan;
  RandomStream random(1, "changes");
  std::size_t made = 0;
  std::size_t shapes = 0;
  for (int step = 0; step < 3000; ++step) {
    const Plan before = plan;
    if (!change_uneven(problem, plan, random)) {
      plan = before;  // a change that is no good may have begun
      continue;
    }
    ++made;
    if (plan.degrees.pipeline != before.degrees.pipeline ||
        plan.pipelines[0].layers.size() != before.pipelines[0].layers.size())
      ++shapes;
    REQUIRE(plan.ranks() == 9);
    REQUIRE(samples_per_iteration(plan) == 42);
    std::vector<RankId> ranks = plan.rank_of_device;
    std::sort(ranks.begin(), ranks.end());
    for (std::size_t rank = 0; rank < 9; ++rank) REQUIRE(ranks[rank] == RankId(rank));
    for (const PipelinePlan& pipeline : plan.pipelines) {
      REQUIRE(std::accumulate(pipeline.layers.begin(), pipeline.layers.end(), std::size_t{0}) == 12);
      REQUIRE(pipeline.layers.size() == pipeline.tensor.size());
      REQUIRE(*std::min_element(pipeline.layers.begin(), pipeline.layers.end()) >= 1);
    }
  }
  CHECK(made > 1000);
  CHECK(shapes > 10);
}
