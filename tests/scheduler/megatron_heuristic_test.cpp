// Megatron-LM's rules: the least model parallelism that fits, slices inside machines, micro-batch by formula.
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "sim/workload/compute_time.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/memory.hpp"
#include "tests/scheduler/cases.hpp"

using namespace longhaul;
using namespace longhaul::cases;

namespace {

PlatformView machines(const std::vector<std::size_t>& sizes, double memory) {
  std::vector<Device> devices;
  for (std::size_t machine = 0; machine < sizes.size(); ++machine)
    for (std::size_t i = 0; i < sizes[machine]; ++i) {
      Device device;
      device.name = "device-" + std::to_string(devices.size());
      device.machine = "machine-" + std::to_string(machine);
      device.type = "some GPU";
      device.memory = Bytes(memory);
      device.peak = FlopsPerSecond(312e12);
      devices.push_back(device);
    }
  std::vector<Path> paths(devices.size() * devices.size(), path(0.01, 100));
  return PlatformView("test", std::move(devices), std::move(paths));
}

Job job_of(const std::string& model) {
  Job job;
  job.model = find_model(model, {});
  job.compute.efficiency = 0.5;
  job.compute.half_work = Flops(200e9);
  return job;
}

// One stage and all devices as replicas, 1024 sequences.
Problem problem_of(const PlatformView& platform, const Job& job) {
  Problem problem = problem_on(platform, {1, platform.size()});
  problem.fixed.schedule = "1f1b";
  problem.fixed.layers_per_stage = {static_cast<std::size_t>(job.model.layers)};
  problem.fixed.micro_batches = 1024 / platform.size();
  problem.job = &job;
  return problem;
}

Plan plan_of(const PlatformView& platform, const Job& job) {
  return plan_with("megatron_heuristic", problem_of(platform, job)).plan;
}

bool fits(const Job& job, Plan plan, const Degrees& degrees, std::size_t size, double memory) {
  plan.layers_per_stage = even_layers(static_cast<std::size_t>(job.model.layers), degrees.pipeline);
  plan.degrees = degrees;
  plan.micro_batch_size = size;
  plan.micro_batches = 1024 / degrees.data / size;
  for (const StageMemory& stage : stage_memory(job, plan))
    if (stage.total().value > memory) return false;
  return true;
}

}  // namespace

TEST_CASE("megatron_heuristic takes no more model parallelism than the model needs, tensor before pipeline") {
  const std::vector<std::size_t> sizes(16, 8);
  for (const char* model : {"gpt3_1.3b", "gpt3_6.7b", "gpt3_13b", "gpt3_175b"})
    for (const double memory : {16e9, 40e9, 80e9, 320e9}) {
      const Job job = job_of(model);
      const PlatformView platform = machines(sizes, memory);
      INFO(model << " on " << memory / 1e9 << " GB");
      std::optional<Degrees> expected;
      for (const std::size_t tensor : {1U, 2U, 4U, 8U})
        for (std::size_t pipeline = 1; pipeline <= (tensor == 8 ? 16 : 1); pipeline *= 2) {
          const Degrees degrees{pipeline, 128 / pipeline / tensor, tensor};
          if (!expected && fits(job, problem_of(platform, job).fixed, degrees, 1, memory)) expected = degrees;
        }
      if (!expected) {
        CHECK_THROWS_AS(plan_of(platform, job), UserError);
        continue;
      }
      const Plan plan = plan_of(platform, job);
      CHECK(plan.degrees == *expected);
      CHECK(fits(job, plan, plan.degrees, plan.micro_batch_size, memory));
    }
}

TEST_CASE("megatron_heuristic takes the micro-batch with the least (b' / b + p - 1)(tf(b) + tb(b))") {
  for (const char* model : {"gpt3_1.3b", "gpt3_13b", "gpt3_175b"}) {
    const Job job = job_of(model);
    const PlatformView platform = machines(std::vector<std::size_t>(16, 8), 80e9);
    const Plan plan = plan_of(platform, job);
    INFO(model);
    double least = 1e99;
    std::size_t best = 0;
    const std::size_t each = 1024 / plan.degrees.data;
    for (std::size_t size = 1; size <= each; size *= 2) {
      if (!fits(job, plan, plan.degrees, size, 80e9)) continue;
      Plan other = plan;
      other.micro_batch_size = size;
      const std::vector<StageLoad> loads = stage_loads(job, plan.layers_per_stage, size);
      double slowest = 0;
      for (std::size_t stage = 0; stage < loads.size(); ++stage) {
        const StageTimes times = stage_times(job, other, loads[stage], Stage(stage), platform.device(DeviceId(0)));
        slowest = std::max(slowest, (times.forward + times.backward).value);
      }
      const double time = static_cast<double>(each / size + plan.degrees.pipeline - 1) * slowest;
      if (time < least) best = size;
      least = std::min(least, time);
    }
    CHECK(plan.micro_batch_size == best);
    CHECK(samples_per_iteration(plan) == 1024);
  }
}

TEST_CASE("megatron_heuristic keeps the slices of a stage in one machine, replicas on neighbours") {
  const Job job = job_of("gpt3_175b");
  const PlatformView platform = machines(std::vector<std::size_t>(16, 8), 80e9);
  const Plan plan = plan_of(platform, job);
  REQUIRE(plan.degrees.tensor == 8);
  for (std::size_t device = 0; device < platform.size(); ++device) {
    const RankId rank = plan.rank_of_device[device];
    CHECK(rank == plan.degrees.from_megatron(device));
    CHECK(platform.same_machine(DeviceId(device), DeviceId(device / 8 * 8)));
  }
}

TEST_CASE("megatron_heuristic slices no further than every machine can be divided") {
  const Job job = job_of("gpt3_13b");
  CHECK(plan_of(machines({4, 6, 4, 2}, 40e9), job).degrees.tensor == 2);
  CHECK(plan_of(machines({4, 3, 1, 8}, 40e9), job).degrees.tensor == 1);
}

TEST_CASE("megatron_heuristic keeps what it is told to keep, and what is measured for one stage only") {
  const PlatformView platform = machines({8, 8}, 40e9);
  Job job = job_of("gpt3_6.7b");
  Problem problem = problem_of(platform, job);
  problem.search.keep.micro_batch = true;
  problem.fixed.micro_batch_size = 2;
  problem.fixed.micro_batches = 32;
  const Plan sized = plan_with("megatron_heuristic", problem).plan;
  CHECK(sized.micro_batch_size == 2);
  CHECK(sized.degrees.tensor > 1);
  job = job_of("gpt3_1.3b");
  job.compute.forward = job.compute.backward = Seconds(1);
  Problem measured = problem_on(platform, {4, 4});
  measured.fixed.layers_per_stage = even_layers(24, 4);
  measured.fixed.schedule = "1f1b";
  measured.job = &job;
  Plan plan = plan_with("megatron_heuristic", measured).plan;
  CHECK(plan.rank_of_device == plan_with("megatron", measured).plan.rank_of_device);
  plan.rank_of_device.clear();
  CHECK(plan == measured.fixed);
}

TEST_CASE("megatron_heuristic cuts GPipe's pass into as few as fit") {
  const PlatformView platform = machines({8}, 32e9);
  const Job job = job_of("gpt3_1.3b");
  Problem problem = problem_of(platform, job);
  problem.search.keep.micro_batch = true;
  problem.fixed.schedule = "gpipe";
  problem.fixed.micro_batches = 128;
  const Plan plan = plan_with("megatron_heuristic", problem).plan;
  REQUIRE(plan.passes > 1);
  CHECK(plan.passes * plan.micro_batches == 128);
  Plan longer = plan;
  longer.passes /= 2;
  longer.micro_batches *= 2;
  CHECK(stage_memory(job, longer).front().total().value > 32e9);
}
