#include "sim/workload/plan.hpp"

#include "sim/base/error.hpp"

namespace longhaul {

std::vector<DeviceId> Plan::device_of_rank() const {
  std::vector<DeviceId> devices(rank_of_device.size());
  for (std::size_t device = 0; device < rank_of_device.size(); ++device) {
    require(rank_of_device[device].value < devices.size(), "a placement names a rank that does not exist");
    devices[rank_of_device[device].value] = DeviceId(device);
  }
  return devices;
}

bool same_but_placement(const Plan& a, const Plan& b) {
  return a.workload == b.workload && a.degrees == b.degrees && a.layers_per_stage == b.layers_per_stage &&
         a.micro_batch_size == b.micro_batch_size && a.micro_batches == b.micro_batches && a.passes == b.passes &&
         a.schedule == b.schedule && a.warm_up == b.warm_up && a.virtual_stages == b.virtual_stages &&
         a.phase_barrier == b.phase_barrier && a.synchronous_transfers == b.synchronous_transfers &&
         a.gradient_sync == b.gradient_sync && a.zero == b.zero && a.sync_groups == b.sync_groups &&
         a.ring_orders == b.ring_orders && a.activation_compression == b.activation_compression &&
         a.gradient_compression == b.gradient_compression && a.compression_rate == b.compression_rate;
}

bool operator==(const Plan& a, const Plan& b) {
  return same_but_placement(a, b) && a.rank_of_device == b.rank_of_device;
}

}  // namespace longhaul
