#include "sim/workload/collective.hpp"

#include <algorithm>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

bool are_equal(const std::vector<std::size_t>& places) {
  return std::all_of(places.begin(), places.end(), [&](std::size_t place) { return place == places.front(); });
}

}  // namespace

Reach reach_of(const CollectiveCall& call) {
  if (!are_equal(call.regions)) return Reach::between_regions;
  return are_equal(call.machines) ? Reach::inside_machine : Reach::inside_region;
}

const std::vector<Collective>& collectives() {
  static const std::vector<Collective> table{
      {"central_server", "reduce to replica 0, then broadcast, chunk by chunk along a chain", true, false,
       central_server, in_central_server},
      {"sharded_server", "every replica sums one shard: all-to-all, sum, all-gather", true, false, sharded_server,
       in_sharded_server},
      {"ring_all_reduce", "reduce-scatter, then all-gather around a ring", true, false, ring_all_reduce, in_ring},
      {"hierarchical_ring", "rings inside each region (or machine), a ring per shard between them", true, true,
       hierarchical_ring, in_hierarchical_ring},
      {"double_binary_tree", "two trees, half of the bytes up and down each, chunk by chunk", true, false,
       double_binary_tree, in_double_binary_tree},
      {"recursive_halving_doubling", "halves exchanged with ever farther members, then gathered back", true, false,
       recursive_halving_doubling, in_recursive_halving_doubling},
      {"broadcast", "replica 0 to all, chunk by chunk along a chain; a building block", false, false, broadcast,
       in_chain},
      {"reduce", "the sum to replica 0, chunk by chunk along a chain; a building block", false, false, reduce,
       in_reduce},
      {"reduce_scatter", "every replica ends with the sum of one shard, around a ring; a building block", false,
       false, reduce_scatter, in_half_ring},
      {"all_gather", "every replica's shard to all, around a ring; a building block", false, false, all_gather,
       in_half_ring},
      {"all_to_all", "every replica sends each other one shard; a building block", false, false, all_to_all,
       in_all_to_all},
  };
  return table;
}

const Collective* find_collective(const std::string& name) {
  for (const Collective& collective : collectives())
    if (name == collective.name) return &collective;
  return nullptr;
}

}  // namespace longhaul
