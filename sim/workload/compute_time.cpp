#include "sim/workload/compute_time.hpp"

#include <algorithm>

#include "sim/workload/kernel_time.hpp"
#include "sim/workload/offload.hpp"
#include "sim/workload/schedule.hpp"
#include "sim/workload/tensor_sum.hpp"

namespace longhaul {
namespace {

FlopsPerSecond achieved_speed(const Job& job, const Plan& plan, const Device& device) {
  const ComputeModel& compute = job.compute;
  const double work = layer_forward_flops(job.model).value * static_cast<double>(plan.micro_batch_size) /
                      static_cast<double>(plan.degrees.ranks_of_stage());
  const FlopsPerSecond peak = device.peak * compute.peak_factor_on(device.type);
  return peak * (compute.efficiency_on(device.type) * work / (work + compute.half_work.value));
}

// Adam reads weights, gradients and two moments, and writes all but the gradients, in fp32 (arXiv 1412.6980 algorithm 1).
Seconds update_by_memory(const LayerProfile& profile, double parameters, const Device& device) {
  constexpr double bytes_per_parameter = 28;
  const DeviceType* type = find_device_type(profile.device_types, device.type);
  if (type == nullptr || !type->memory_bandwidth) return {};
  return Bytes(bytes_per_parameter * parameters) / *type->memory_bandwidth;
}

StageTimes times_by_profile(const Job& job, const Plan& plan, const StageLoad& load, Stage stage,
                            const Device& device) {
  const LayerProfile& profile = *job.compute.profile;
  const ProfiledTimes parts =
      profiled_times(profile, {job.model, job.precision, device.type, plan.degrees.tensor, plan.micro_batch_size});
  const auto layers = static_cast<double>(plan.layers_per_stage[stage.value]);
  const Seconds update = parts.layer.update.value_or(Seconds());
  StageTimes times;
  times.forward = parts.layer.forward * layers;
  times.backward = parts.layer.backward * layers;
  times.weight_update = update * layers;
  const auto add = [&](const PartTimes& part) {
    times.forward += part.forward;
    times.backward += part.backward;
    times.weight_update += part.update.value_or(update);
  };
  if (stage.value == 0) add(parts.embedding);
  if (stage.value + 1 == plan.degrees.pipeline) add(parts.head);
  times.forward = times.forward / static_cast<double>(plan.degrees.context);
  times.backward = times.backward / static_cast<double>(plan.degrees.context);
  if (!parts.layer.update)
    times.weight_update =
        update_by_memory(profile, load.parameters / static_cast<double>(plan.degrees.tensor), device);
  return times;
}

}  // namespace

StageTimes stage_times(const Job& job, const Plan& plan, const StageLoad& load, Stage stage, const Device& device,
                       Seconds sum) {
  const ComputeModel& compute = job.compute;
  const auto slices = static_cast<double>(plan.degrees.tensor);
  StageTimes times;
  if (compute.forward) {
    times.forward = *compute.forward;
    times.backward = *compute.backward;
  } else if (compute.profile) {
    times = times_by_profile(job, plan, load, stage, device);
  } else if (compute.kernels) {
    const KernelTimes kernels = kernel_times(job, plan, load, stage, device);
    const double factor = compute.speed_factor_of(device.type);
    const auto beside_host = [&](Seconds device_time, Seconds host, PipelineStep::Direction direction) {
      const auto sums = static_cast<double>(tensor_sums(job, plan.layers_per_stage[stage.value], direction));
      return std::max(device_time, (host - sum * sums) * factor);
    };
    times.forward = beside_host(kernels.forward, kernels.host_forward, PipelineStep::Direction::forward);
    times.backward = beside_host(kernels.backward, kernels.host_backward, PipelineStep::Direction::backward);
    times.weight_update = kernels.weight_update;
  } else {
    const FlopsPerSecond speed = achieved_speed(job, plan, device);
    const auto ranks = static_cast<double>(plan.degrees.ranks_of_stage());
    times.forward = load.forward / ranks / speed;
    times.backward = load.backward / ranks / speed;
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
  if (plan.sharding() > 0) times.weight_update = times.weight_update / static_cast<double>(plan.degrees.copies());
  add_offload_times(job, plan, load, stage, device, times);
  return times;
}

}  // namespace longhaul
