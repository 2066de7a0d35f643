// Collectives: how the replicas of one stage come to the same gradients, and the building blocks of that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/description/network_model.hpp"
#include "sim/description/reach.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// What the receiver of a transfer does with it.
enum class Merge {
  adds,      // it is a part of a sum (for all_to_all: of a collection)
  replaces,  // it takes the place of what the receiver had
};

/// Which bytes of the members' data a transfer carries.
struct Carried {
  TaskletId transfer;
  Bytes begin;
  Bytes end;
  Merge merge = Merge::adds;
};

/// One call of a collective. Member i of the group takes part with `bytes` of its own data, ready when all of
/// `ready[i]` are finished.
struct CollectiveCall {
  TaskletKind kind = TaskletKind::gradient_transfer;  // of its transfers
  std::uint32_t messages = 1;                         // how many calls are emitted as one of all their bytes
  std::vector<RankId> ranks;
  std::vector<DeviceId> devices;      // of the ranks
  std::vector<std::size_t> regions;   // of the devices, numbered; empty = all in one
  std::vector<std::size_t> machines;  // likewise
  Bytes bytes;                        // per member, the whole gradient
  std::vector<double> shares;         // of the bytes, per member, with sum 1: the size of its shard; empty = even
  Bytes chunk;                        // piece in which chains and trees pass data on
  std::optional<Bytes> ring_chunk;    // piece of a member's share in one round of a ring; none = the whole share
  std::vector<std::vector<TaskletId>> ready;  // per member
  Bytes begin;                                // where the bytes stand, of a call that is a part of another
  const PlatformView* platform = nullptr;     // the members' paths, for predicted times and `auto`
  const NetworkModel* network = nullptr;      // likewise
  std::vector<Carried>* carried = nullptr;    // where to note what each transfer carries; for tests
};

/// The farthest that two members stand apart.
Reach reach_of(const CollectiveCall& call);

/// Per member, the tasklets after which it holds the complete sum (of a building block: its part of the result).
using CollectiveResult = std::vector<std::vector<TaskletId>>;

/// A collective is a function with a name. Adding one: functions declared in collective_parts.hpp, a line in the table of
/// collective.cpp.
/// A group of one needs no communication: the caller does not call.
struct Collective {
  const char* name;
  const char* summary;  // one line for `longhaul list collectives`
  bool synchronises;    // every member ends with the sum: fit for gradient sync
  bool by_place;        // regions, machines or paths of the members decide what is emitted
  CollectiveResult (*emit)(const CollectiveCall& call, TaskletGraphBuilder& graph);
  double (*tasklets)(const CollectiveCall& call);  // how many it emits; looks at sizes, regions and machines only
  /// How long it takes on the members' paths if all are ready at once and share no link: the closed form on equal paths, an
  /// estimate on others. Needs platform and network.
  Seconds (*seconds)(const CollectiveCall& call);
};

const std::vector<Collective>& collectives();

/// The collective with that name, or null.
const Collective* find_collective(const std::string& name);

/// What `auto` emits: of the collectives that synchronise the one with the least predicted time, of several the first in the
/// table. Those of more than 200 000 tasklets are left out while there are others.
const Collective& fastest_collective(const CollectiveCall& call);

}  // namespace longhaul
