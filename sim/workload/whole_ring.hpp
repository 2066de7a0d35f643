// Collectives that run along rings, with all steps of a member as one transfer (network.ring_steps: together).
#pragma once

#include "sim/workload/collective.hpp"

namespace longhaul {

/// Emits the collective of that name, a ring as one transfer per member if the call says so. With n members, B bytes (n times the largest shard) and k steps (n - 1;
/// all-reduce 2 (n - 1)): once all members are ready, each sends k B / n bytes to the next and pays k latencies, and all hold the result
/// when the last is through. On equal links that is k (alpha + B / (n beta)), as step by step; two rings that share streams at once do not hide each other's latencies as their steps would. Where links differ it is that
/// of the slowest, to which a ring's steps come as well once pieces queue in front of it, less how pieces get there and on.
CollectiveResult emit_collective(const std::string& name, const CollectiveCall& call, TaskletGraphBuilder& graph);

/// How many tasklets that emits.
double tasklets_in(const std::string& name, const CollectiveCall& call);

}  // namespace longhaul
