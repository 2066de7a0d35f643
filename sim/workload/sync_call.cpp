#include "sim/workload/sync_call.hpp"

namespace longhaul {

CollectiveCall sync_call(const Plan& plan, const std::vector<DeviceId>& devices, const PlatformView& /*platform*/,
                         const NetworkModel& network, Stage stage, std::size_t slice) {
  CollectiveCall call;
  call.chunk = network.chunk;
  call.ring_chunk = network.ring_chunk;
  for (std::size_t replica = 0; replica < plan.degrees.data; ++replica) {
    const RankId rank = plan.degrees.rank(Replica(replica), stage, slice);
    call.ranks.push_back(rank);
    call.devices.push_back(devices[rank.value]);
  }
  call.ready.assign(call.ranks.size(), {});
  return call;
}

}  // namespace longhaul
