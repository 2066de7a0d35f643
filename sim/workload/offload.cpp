#include "sim/workload/offload.hpp"

#include <algorithm>

#include "sim/workload/memory.hpp"

namespace longhaul {

void add_offload_times(const Job& job, const Plan& plan, const StageLoad& load, Stage stage, const Device& device,
                       StageTimes& times) {
  if (!job.optimizer_offload && !job.activation_offload) return;
  const auto rate = job.offload_rate(device.type);
  if (!rate) return;
  if (job.optimizer_offload) {
    const double shares = static_cast<double>(plan.degrees.tensor) *
                          (plan.sharding() > 0 ? static_cast<double>(plan.degrees.copies()) : 1);
    times.weight_update += load.gradient * (2 / shares) / *rate;
  }
  if (!job.activation_offload) return;
  const Seconds moving = stage_activations(job, plan, stage).kept / *rate;
  times.forward = std::max(times.forward, moving);
  times.backward = std::max(times.backward, moving);
}

}  // namespace longhaul
