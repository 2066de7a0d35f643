#include "sim/workload/sync_call.hpp"

#include <algorithm>
#include <map>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

std::vector<Replica> ring_order(const Plan& plan, Stage stage, std::size_t slice) {
  std::vector<Replica> order;
  for (std::size_t replica = 0; replica < plan.degrees.data; ++replica) order.emplace_back(replica);
  if (plan.ring_orders.empty()) return order;
  require(plan.ring_orders.size() == plan.degrees.pipeline * plan.degrees.tensor, "a plan orders all groups or none");
  const std::vector<Replica>& given = plan.ring_orders[stage.value * plan.degrees.tensor + slice];
  require(std::is_permutation(given.begin(), given.end(), order.begin(), order.end()),
          "a ring order names every replica once");
  return given;
}

// The number of a name: how many others came before it.
std::size_t number_of(const std::string& name, std::map<std::string, std::size_t>& numbers) {
  return numbers.emplace(name, numbers.size()).first->second;
}

void number_places(const PlatformView& platform, CollectiveCall& call) {
  std::map<std::string, std::size_t> regions;
  std::map<std::string, std::size_t> machines;
  for (const DeviceId device : call.devices) {
    call.regions.push_back(number_of(platform.device(device).region, regions));
    call.machines.push_back(number_of(platform.device(device).machine, machines));
  }
}

}  // namespace

CollectiveCall sync_call(const Plan& plan, const std::vector<DeviceId>& devices, const PlatformView& platform,
                         const NetworkModel& network, Stage stage, std::size_t slice) {
  CollectiveCall call;
  call.chunk = network.chunk;
  call.ring_chunk = network.ring_chunk;
  for (const Replica replica : ring_order(plan, stage, slice)) {
    const RankId rank = plan.degrees.rank(replica, stage, slice);
    call.ranks.push_back(rank);
    call.devices.push_back(devices[rank.value]);
  }
  call.ready.assign(call.ranks.size(), {});
  number_places(platform, call);
  return call;
}

}  // namespace longhaul
