#include "sim/workload/compute_origin.hpp"

#include <algorithm>

#include "sim/workload/rank_layout.hpp"

namespace longhaul {

std::vector<ComputeOrigin> compute_origins(const Job& job, const Plan& plan, const PlatformView& platform) {
  std::vector<ComputeOrigin> origins;
  if (!job.compute.profile) return origins;
  const RankLayout layout(plan);
  const StagePlans plans(plan, layout);
  for (std::size_t device = 0; device < plan.rank_of_device.size(); ++device) {
    const std::string& type = platform.device(DeviceId(device)).type;
    const Plan& seen = plans.of_cell(layout.cell(plan.rank_of_device[device]));
    const ProfileQuery query{job.model, job.precision, type, seen.degrees.tensor, seen.micro_batch_size};
    const ComputeOrigin origin{type, profiled_times(*job.compute.profile, query).origin};
    const auto is_it = [&origin](const ComputeOrigin& known) {
      return known.device_type == origin.device_type && known.origin == origin.origin;
    };
    if (std::none_of(origins.begin(), origins.end(), is_it)) origins.push_back(origin);
  }
  return origins;
}

}  // namespace longhaul
