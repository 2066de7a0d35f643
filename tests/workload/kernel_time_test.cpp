#include "sim/workload/kernel_time.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/workload/compute_time.hpp"

using namespace longhaul;

namespace {

constexpr double peak = 312e12;
constexpr double memory = 2e12;  // bytes per second

Device a100() { return {"a", "A100", "r", "a", Bytes(80e9), FlopsPerSecond(peak)}; }

// Two sequences of 2048 tokens, hidden 4096, 32 heads; kernels as fast as the sheet says.
Job gpt() {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  job.model.hidden = 4096;
  job.model.heads = job.model.key_value_heads = 32;
  job.model.feed_forward = 4 * 4096;
  job.model.sequence = 2048;
  job.model.head = Head::none;
  job.recompute = Recompute::none;
  job.compute.kernels.emplace();
  job.compute.kernels->memory_bandwidth = {{"A100", BytesPerSecond(memory)}};
  return job;
}

Plan plan_of(std::size_t tensor) {
  Plan plan;
  plan.degrees.tensor = tensor;
  plan.layers_per_stage = {1};
  plan.micro_batch_size = 2;
  return plan;
}

KernelTimes times_of(const Job& job, const Plan& plan) {
  return kernel_times(job, plan, stage_loads(job, plan.layers_per_stage, plan.micro_batch_size)[0], Stage(0), a100());
}

constexpr double sbh = 2.0 * 2048 * 4096;
constexpr double scores = 2.0 * 32 * 2048 * 2048;  // b a s^2
// QK^T and its like read two tensors of s b h / t values and write scores, or the other way round: slower than their FLOP.
constexpr double attention = 2 * (2 * sbh + scores) * 2 / memory;

double weights(double tensor) { return 24.0 * 2 * 2048 * 4096 * 4096 / tensor / peak; }

}  // namespace

TEST_CASE("a layer's kernels add up: multiplications by FLOP, all else by bytes") {
  const KernelTimes times = times_of(gpt(), plan_of(1));
  CHECK(times.forward.value == Approx(weights(1) + attention + (sbh * (22 + 16 + 12) + scores * 9) / memory));
  CHECK(times.backward.value ==
        Approx(2 * weights(1) + 2 * attention + (sbh * (22 + 24 + 12) + scores * 11) / memory));
}

TEST_CASE("slices share multiplications, activation function and scores, sequence parallelism the rest") {
  Plan plan = plan_of(4);
  const double split = weights(4) + attention / 4 + (sbh * 28 + scores * 9) / 4 / memory;
  CHECK(times_of(gpt(), plan).forward.value == Approx(split + sbh * 22 / memory));
  plan.sequence_parallel = true;
  CHECK(times_of(gpt(), plan).forward.value == Approx(split + sbh * 22 / 4 / memory));
}

TEST_CASE("full recomputation repeats the forward, selective its attention") {
  Job job = gpt();
  const KernelTimes none = times_of(job, plan_of(1));
  job.recompute = Recompute::full;
  CHECK(times_of(job, plan_of(1)).backward.value == Approx(none.backward.value + none.forward.value));
  job.recompute = Recompute::selective;
  CHECK(times_of(job, plan_of(1)).backward.value == Approx(none.backward.value + attention + scores * 9 / memory));
}

TEST_CASE("each multiplication pays half_work") {
  Job job = gpt();
  const KernelTimes without = times_of(job, plan_of(1));
  job.compute.kernels->half_work = Flops(1e9);
  const KernelTimes with = times_of(job, plan_of(1));
  CHECK((with.forward - without.forward).value == Approx(6 * 1e9 / peak));
  CHECK((with.backward - without.backward).value == Approx(12 * 1e9 / peak));
}

TEST_CASE("the vocabulary's logits are split among slices") {
  Job job = gpt();
  const double layer = times_of(job, plan_of(2)).forward.value;
  job.model.head = Head::language_model;
  job.model.vocabulary = 50'000;
  const double logits = 2 * 2048 * 25'000.0;
  CHECK(times_of(job, plan_of(2)).forward.value == Approx(layer + 2 * 4096 * logits / peak + logits * 10 / memory));
}

TEST_CASE("the optimizer and ZeRO's buffers take their bytes") {
  const Job job = gpt();
  Plan plan = plan_of(1);
  const double parameters = stage_loads(job, {1}, 2)[0].parameters;
  const KernelTimes whole = times_of(job, plan);
  CHECK(whole.weight_update.value == Approx(46 * parameters / memory));
  plan.degrees.data = 4;
  plan.zero = 3;
  const KernelTimes sharded = times_of(job, plan);
  CHECK((sharded.forward - whole.forward).value == Approx(4 * parameters / memory));
  CHECK((sharded.backward - whole.backward).value == Approx(12 * parameters / memory));
}

TEST_CASE("a step takes as long as its host launches kernels, less what sums among slices already take") {
  Job job = gpt();
  job.compute.kernels->host = Seconds(1);
  job.compute.kernels->host_per_sum = Seconds(0.01);
  const Plan plan = plan_of(4);
  const StageLoad load = stage_loads(job, {1}, 2)[0];
  const StageTimes alone = stage_times(job, plan, load, Stage(0), a100());
  CHECK(alone.forward.value == Approx(1 + 2 * 3 * 0.01));
  CHECK(alone.backward.value == Approx(2 + 2 * 3 * 0.01));
  CHECK(stage_times(job, plan, load, Stage(0), a100(), Seconds(0.1)).forward.value == Approx(0.86));
  job.recompute = Recompute::full;
  CHECK(stage_times(job, plan, load, Stage(0), a100()).backward.value == Approx(3 + 4 * 3 * 0.01));
}

TEST_CASE("kernels want to know the device's memory bandwidth") {
  const Job job = gpt();
  const Plan plan = plan_of(1);
  Device other = a100();
  other.type = "abacus";
  CHECK_THROWS_WITH(stage_times(job, plan, stage_loads(job, {1}, 2)[0], Stage(0), other),
                    Catch::Contains("no memory bandwidth is known for device type 'abacus'"));
}
