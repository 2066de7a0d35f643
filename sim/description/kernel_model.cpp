#include "sim/description/device_type.hpp"
#include "sim/description/job.hpp"

namespace longhaul {

KernelModel read_kernel_model(const Config& config) {
  constexpr double least = 1e-6;
  KernelModel kernels;
  kernels.where = config.where();
  kernels.multiply_efficiency = config.at("multiply_efficiency").number(least, 1);
  kernels.memory_efficiency = config.at("memory_efficiency").number(least, 1);
  if (const auto work = config.find("half_work")) kernels.half_work = work->work();
  if (const auto host = config.find("host")) kernels.host = host->duration();
  if (const auto host = config.find("host_per_sum")) kernels.host_per_sum = host->duration();
  for (const DeviceType& type : device_types())
    if (type.memory_bandwidth) kernels.memory_bandwidth.emplace_back(type.name, *type.memory_bandwidth);
  return kernels;
}

BytesPerSecond KernelModel::memory_bandwidth_of(const std::string& device_type) const {
  for (const auto& [type, bandwidth] : memory_bandwidth)
    if (type == device_type) return bandwidth;
  throw UserError(where, "no memory bandwidth is known for device type '" + device_type + "'",
                  "kernels are timed by it", "devices of a type that platforms/device_types.yaml has it for");
}

}  // namespace longhaul
