#include "sim/workload/compute_time.hpp"

#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/workload/memory.hpp"

#include "sim/base/error.hpp"

using namespace longhaul;

namespace {

Device v100() { return {"a", "V100-SXM2-16GB", "r", "a", Bytes(16e9), FlopsPerSecond(125e12)}; }

Job gpt() {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  return job;
}

Plan plan_of(std::size_t tensor) {
  Plan plan;
  plan.degrees.tensor = tensor;
  plan.layers_per_stage = {24};
  return plan;
}

StageTimes times_of(const Job& job, const Plan& plan, const Device& device) {
  return stage_times(job, plan, stage_loads(job, {24})[0], Stage(0), device);
}

}  // namespace

TEST_CASE("without measurements computing takes FLOP / (peak x efficiency)") {
  Job job = gpt();
  job.compute.efficiency = 0.4;
  const StageLoad load = stage_loads(job, {24})[0];
  CHECK(times_of(job, plan_of(1), v100()).forward.value == Approx(load.forward.value / (125e12 * 0.4)));
  CHECK(times_of(job, plan_of(2), v100()).backward.value == Approx(load.backward.value / 2 / (125e12 * 0.4)));
  job.compute.overhead = Seconds(1);
  CHECK(times_of(job, plan_of(1), v100()).forward.value == Approx(1 + load.forward.value / (125e12 * 0.4)));
}

TEST_CASE("at half_work the efficiency is half") {
  Job job = gpt();
  const double full = times_of(job, plan_of(1), v100()).forward.value;
  job.compute.half_work = layer_forward_flops(job.model);
  CHECK(times_of(job, plan_of(1), v100()).forward.value == Approx(2 * full));
  // A slice has half the work: a third of the efficiency for half the FLOP.
  CHECK(times_of(job, plan_of(2), v100()).forward.value == Approx(full / 2 * 3));
}

TEST_CASE("efficiencies go by device type, and all must be there") {
  Job job = gpt();
  const double full = times_of(job, plan_of(1), v100()).forward.value;
  job.compute.efficiency_by_type = {{"V100-SXM2-16GB", 0.25}};
  CHECK(times_of(job, plan_of(1), v100()).forward.value == Approx(4 * full));
  Device other = v100();
  other.type = "A100-SXM4-80GB";
  CHECK_THROWS_WITH(times_of(job, plan_of(1), other),
                    Catch::Contains("no efficiency for device type A100-SXM4-80GB"));
}

TEST_CASE("a profile gives measured times, and says what it has not measured") {
  Job job = gpt();
  job.model = find_model("opt_350m", {});
  job.precision = "fp32";
  job.compute.profile = find_layer_profile("sailor", {});
  Device gh200 = v100();
  gh200.type = "GH200";
  Plan plan = plan_of(4);
  plan.micro_batch_size = 8;
  // Figures of the profile: embedding, 24 layers, head.
  CHECK(times_of(job, plan, gh200).forward.value == Approx(0.000922 + 24 * 0.002683 + 0.004014));
  CHECK(times_of(job, plan, gh200).weight_update.value == Approx(26 * 0.000479));
  plan.micro_batch_size = 300;
  CHECK_THROWS_WITH(
      times_of(job, plan, gh200),
      Catch::Contains("has nothing for opt_350m in fp32 on GH200 at tensor 4 and micro_batch 300 (it was "
                      "not measured near there); accepted: tensor 1 micro_batch 1, "));
}

TEST_CASE("the peak is that of the job's precision, and a device without one refuses the job") {
  Job job = gpt();
  const double full = times_of(job, plan_of(1), v100()).forward.value;
  job.compute.peak_factor_by_type = {{"V100-SXM2-16GB", 0.125}};
  CHECK(times_of(job, plan_of(1), v100()).forward.value == Approx(8 * full));
  job.compute.peak_factor_by_type = {{"V100-SXM2-16GB", 0}};
  CHECK_THROWS_WITH(times_of(job, plan_of(1), v100()),
                    Catch::Contains("no peak in this precision for device type V100-SXM2-16GB"));
}

TEST_CASE("offloading moves states over the host's link, as far as computing does not hide it") {
  Job job = gpt();
  job.optimizer_offload = true;
  const Plan plan = plan_of(1);
  const StageTimes without = times_of(job, plan, v100());
  job.offload_bandwidth = BytesPerSecond(1e9);
  const double gradients = stage_loads(job, {24})[0].gradient.value;
  CHECK(times_of(job, plan, v100()).weight_update.value == Approx(without.weight_update.value + 2 * gradients / 1e9));
  job.activation_offload = true;
  const double moving = stage_activations(job, plan, Stage(0)).kept.value;
  job.offload_bandwidth = BytesPerSecond(moving);  // a second for a micro-batch
  CHECK(times_of(job, plan, v100()).forward.value == Approx(std::max(1.0, without.forward.value)));
  CHECK(times_of(job, plan, v100()).backward.value == Approx(std::max(1.0, without.backward.value)));
  job.offload_bandwidth = BytesPerSecond(moving * 1e9);
  CHECK(times_of(job, plan, v100()).forward == without.forward);
  job.offload_bandwidth.reset();
  job.host_links = device_types();
  CHECK(times_of(job, plan, v100()).weight_update.value ==
        Approx(without.weight_update.value + 2 * gradients / 15.75e9));
  Device other = v100();
  other.type = "MI250X";
  CHECK_THROWS_WITH(times_of(job, plan, other), Catch::Contains("nothing is known about the host link"));
}

TEST_CASE("a weight-update rate counts the gradients of the stage") {
  Job job = gpt();
  job.compute.weight_update_rate = BytesPerSecond(1e9);
  CHECK(times_of(job, plan_of(1), v100()).weight_update.value ==
        Approx(stage_loads(job, {24})[0].gradient.value / 1e9));
}
