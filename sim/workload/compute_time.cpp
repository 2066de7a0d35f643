#include "sim/workload/compute_time.hpp"

#include "sim/workload/schedule.hpp"

namespace longhaul {
namespace {

FlopsPerSecond achieved_speed(const Job& job, const Plan& plan, const Device& device) {
  const ComputeModel& compute = job.compute;
  const double work = layer_forward_flops(job.model).value * static_cast<double>(plan.micro_batch_size) /
                      static_cast<double>(plan.degrees.tensor);
  return device.peak * (compute.efficiency_on(device.type) * work / (work + compute.half_work.value));
}

StageTimes profiled_times(const Job& job, const Plan& plan, Stage stage, const Device& device) {
  const ProfileEntry& entry = job.compute.profile->entry(device.type, plan.degrees.tensor, plan.micro_batch_size);
  const auto layers = static_cast<double>(plan.layers_per_stage[stage.value]);
  StageTimes times;
  times.forward = entry.layer.forward * layers;
  times.backward = entry.layer.backward * layers;
  times.weight_update = entry.layer.update * layers;
  const auto add = [&](const PartTimes& part) {
    times.forward += part.forward;
    times.backward += part.backward;
    times.weight_update += part.update;
  };
  if (stage.value == 0) add(entry.embedding);
  if (stage.value + 1 == plan.degrees.pipeline) add(entry.head);
  return times;
}

}  // namespace

StageTimes stage_times(const Job& job, const Plan& plan, const StageLoad& load, Stage stage, const Device& device) {
  const ComputeModel& compute = job.compute;
  const auto slices = static_cast<double>(plan.degrees.tensor);
  StageTimes times;
  if (compute.forward) {
    times.forward = *compute.forward;
    times.backward = *compute.backward;
  } else if (compute.profile) {
    times = profiled_times(job, plan, stage, device);
  } else {
    const FlopsPerSecond speed = achieved_speed(job, plan, device);
    times.forward = load.forward / slices / speed;
    times.backward = load.backward / slices / speed;
    times.weight_update = load.weight_update / slices / speed;
  }
  const double factor = compute.speed_factor_of(device.type);
  times.forward = times.forward / factor;
  times.backward = times.backward / factor;
  times.weight_update = times.weight_update / factor;
  if (find_pipeline_schedule(plan.schedule)->splits_backward) {
    times.weight_gradient = times.backward * (load.weight_gradient / load.backward);
    times.backward -= times.weight_gradient;
    times.weight_gradient += compute.overhead;
  }
  times.forward += compute.overhead;
  times.backward += compute.overhead;
  if (compute.weight_update) times.weight_update = *compute.weight_update / factor;
  if (compute.weight_update_rate) times.weight_update = load.gradient / slices / *compute.weight_update_rate;
  if (plan.sharding() > 0) times.weight_update = times.weight_update / static_cast<double>(plan.degrees.data);
  return times;
}

}  // namespace longhaul
