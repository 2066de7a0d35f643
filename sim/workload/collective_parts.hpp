// What collectives are made of, and the collectives themselves: declared here for their table and for each other.
#pragma once

#include "sim/workload/collective.hpp"

namespace longhaul {

/// Pieces that `whole` is cut into; as a double, since it may be too many to build.
double pieces(Bytes whole, Bytes piece);
double members_of(const CollectiveCall& call);
/// Rounds in which a ring goes over a member's share.
double ring_rounds(const CollectiveCall& call);

TaskletId send(const CollectiveCall& call, std::size_t from, std::size_t to, Bytes bytes, TaskletGraphBuilder& graph);
/// The moment a member has summed what it got; the adding itself costs no time worth counting.
TaskletId add_sum(const CollectiveCall& call, std::size_t member, TaskletGraphBuilder& graph);
/// The same call among some of its members, with other bytes; `ready` by member of the whole call.
CollectiveCall part_of(const CollectiveCall& call, const std::vector<std::size_t>& members, Bytes bytes,
                       const std::vector<std::vector<TaskletId>>& ready);

// Chains: chunks of call.chunk flow from member to member. k chunks over n - 1 hops take
// (n - 2 + k)(B / k) / beta + (n - 1) alpha on equal links.
CollectiveResult broadcast(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult reduce(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult central_server(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_chain(const CollectiveCall& call);
double in_reduce(const CollectiveCall& call);
double in_central_server(const CollectiveCall& call);

// Rings: n - 1 (all-reduce: 2 (n - 1)) steps of alpha + B / (n beta) on equal links (Patarasuk and Yuan 2009); r rounds
// pay r times the latency.
CollectiveResult ring_all_reduce(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult reduce_scatter(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult all_gather(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_ring(const CollectiveCall& call);
double in_half_ring(const CollectiveCall& call);

// Every member to every other: n - 1 messages of B / n one after the other and one latency, for the server twice.
CollectiveResult sharded_server(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult all_to_all(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_sharded_server(const CollectiveCall& call);
double in_all_to_all(const CollectiveCall& call);

/// Rings on two levels. The levels are regions or, where all members stand in one region, machines. Groups of one size m
/// (R of them): reduce-scatter inside, a ring all-reduce among the R members that hold the same shard, all-gather inside:
/// 2 (m - 1)(alpha + B / (m beta)) + 2 (R - 1)(alpha + B / (m R beta)) on equal links. Groups of different sizes: a chain
/// to the first of each group, a ring among these, a chain back.
CollectiveResult hierarchical_ring(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_hierarchical_ring(const CollectiveCall& call);

/// Recursive vector halving and distance doubling, then back (Rabenseifner 2004; Thakur, Rabenseifner and Gropp 2005):
/// 2 log2(p) alpha + 2 (p - 1) / p B / beta for p = 2^k members. Of n = p + r members, the r odd ones of the first 2 r stand
/// in for their neighbours: one message of B before, one after, 2 (alpha + B / beta) more at least.
CollectiveResult recursive_halving_doubling(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_recursive_halving_doubling(const CollectiveCall& call);

/// Two binary trees, each for half of the bytes, chunk by chunk up to the root and down again; who is inside one tree is a
/// leaf of the other, or nearly so (Sanders, Speck and Träff 2009; NCCL). Latency: 2 (floor(log2(n - 1)) + 1) alpha; bytes: up to
/// 2.5 B of one member. Our streams pass one message at a time, so that large messages take up to 1.7 times 2 B / beta.
CollectiveResult double_binary_tree(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_double_binary_tree(const CollectiveCall& call);

}  // namespace longhaul
