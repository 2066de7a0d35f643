#include "sim/workload/collective.hpp"

#include <algorithm>
#include <limits>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

bool are_equal(const std::vector<std::size_t>& places) {
  return std::all_of(places.begin(), places.end(), [&](std::size_t place) { return place == places.front(); });
}

constexpr double many_tasklets = 200'000;

CollectiveResult automatic(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  return fastest_collective(call).emit(call, graph);
}

// The most that it may choose, as long as nobody knows the paths.
double in_automatic(const CollectiveCall& call) {
  double most = 0;
  double fewest = std::numeric_limits<double>::infinity();
  for (const Collective& collective : collectives()) {
    if (!collective.synchronises || collective.emit == automatic) continue;
    const double count = collective.tasklets(call);
    fewest = std::min(fewest, count);
    if (count <= many_tasklets) most = std::max(most, count);
  }
  return std::max(most, fewest);
}

Seconds automatic_seconds(const CollectiveCall& call) { return fastest_collective(call).seconds(call); }

}  // namespace

const Collective& fastest_collective(const CollectiveCall& call) {
  const Collective* fastest = nullptr;
  const Collective* smallest = &collectives().front();
  Seconds least;
  double fewest = std::numeric_limits<double>::infinity();
  for (const Collective& collective : collectives()) {
    if (!collective.synchronises || collective.emit == automatic) continue;
    const double tasklets = collective.tasklets(call);
    if (tasklets < fewest) {
      fewest = tasklets;
      smallest = &collective;
    }
    if (tasklets > many_tasklets) continue;
    const Seconds seconds = collective.seconds(call);
    if (fastest != nullptr && seconds >= least) continue;
    least = seconds;
    fastest = &collective;
  }
  return fastest != nullptr ? *fastest : *smallest;
}

Reach reach_of(const CollectiveCall& call) {
  if (!are_equal(call.regions)) return Reach::between_regions;
  return are_equal(call.machines) ? Reach::inside_machine : Reach::inside_region;
}

const std::vector<Collective>& collectives() {
  static const std::vector<Collective> table{
      {"central_server", "reduce to replica 0, then broadcast, chunk by chunk along a chain", true, false,
       central_server, in_central_server, central_server_seconds},
      {"sharded_server", "every replica sums one shard: all-to-all, sum, all-gather", true, false, sharded_server,
       in_sharded_server, sharded_server_seconds},
      {"ring_all_reduce", "reduce-scatter, then all-gather around a ring", true, false, ring_all_reduce, in_ring,
       ring_seconds},
      {"hierarchical_ring", "rings inside each region (or machine), a ring per shard between them", true, true,
       hierarchical_ring, in_hierarchical_ring, hierarchical_ring_seconds},
      {"hierarchical_ring_3", "rings inside each machine, of its shards inside each region, and between regions",
       true, true, hierarchical_ring_3, in_hierarchical_ring_3, hierarchical_ring_3_seconds},
      {"double_binary_tree", "two trees, half of the bytes up and down each, chunk by chunk", true, false,
       double_binary_tree, in_double_binary_tree, double_binary_tree_seconds},
      {"recursive_halving_doubling", "halves exchanged with ever farther members, then gathered back", true, false,
       recursive_halving_doubling, in_recursive_halving_doubling, recursive_halving_doubling_seconds},
      {"auto", "for each group the one of the above that its paths make fastest by the closed forms", true, true,
       automatic, in_automatic, automatic_seconds},
      {"broadcast", "replica 0 to all, chunk by chunk along a chain; a building block", false, false, broadcast,
       in_chain, chain_seconds},
      {"broadcast_tree", "replica 0 to all along a binomial tree; a building block", false, false, broadcast_tree,
       in_broadcast_tree, broadcast_tree_seconds},
      {"reduce", "the sum to replica 0, chunk by chunk along a chain; a building block", false, false, reduce,
       in_reduce, reduce_seconds},
      {"reduce_tree", "the sum to replica 0 along a binomial tree; a building block", false, false, reduce_tree,
       in_reduce_tree, reduce_tree_seconds},
      {"reduce_scatter", "every replica ends with the sum of one shard, around a ring; a building block", false,
       false, reduce_scatter, in_half_ring, half_ring_seconds},
      {"all_gather", "every replica's shard to all, around a ring; a building block", false, false, all_gather,
       in_half_ring, half_ring_seconds},
      {"all_to_all", "every replica sends each other one shard; a building block", false, false, all_to_all,
       in_all_to_all, all_to_all_seconds},
  };
  return table;
}

const Collective* find_collective(const std::string& name) {
  for (const Collective& collective : collectives())
    if (name == collective.name) return &collective;
  return nullptr;
}

}  // namespace longhaul
