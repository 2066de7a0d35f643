#include "sim/workload/sync_call.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

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

std::vector<std::size_t> ring_places(const Plan& plan, std::size_t team, std::size_t members) {
  std::vector<std::size_t> order(members);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (plan.ring_orders.empty()) return order;
  require(team < plan.ring_orders.size(), "a plan orders all teams or none");
  std::vector<std::size_t> given;
  for (const Replica replica : plan.ring_orders[team]) given.push_back(replica.value);
  require(std::is_permutation(given.begin(), given.end(), order.begin(), order.end()),
          "a ring order names every member once");
  return given;
}

CollectiveCall sync_call(const Plan& plan, const std::vector<RankId>& ranks, std::size_t team,
                         const std::vector<DeviceId>& devices, const PlatformView& platform,
                         const NetworkModel& network) {
  CollectiveCall call;
  call.chunk = network.chunk;
  call.ring_chunk = network.ring_chunk;
  call.platform = &platform;
  call.network = &network;
  for (const std::size_t place : ring_places(plan, team, ranks.size())) {
    call.ranks.push_back(ranks[place]);
    call.devices.push_back(devices[ranks[place].value]);
    if (plan.sharding() > 0 && !plan.shards.empty()) call.shares.push_back(plan.shards[place]);
  }
  call.ready.assign(call.ranks.size(), {});
  number_places(platform, call);
  return call;
}

}  // namespace longhaul
