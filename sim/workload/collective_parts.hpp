// What collectives are made of, and the collectives themselves: declared here for their table and for each other.
#pragma once

#include "sim/workload/collective.hpp"

namespace longhaul {

/// Pieces that `whole` is cut into; as a double, since it may be too many to build.
double pieces(Bytes whole, Bytes piece);
double members_of(const CollectiveCall& call);

// Shards: member i owns the bytes from shard_begin to shard_begin + shard, counted from the call's begin.
Bytes shard(const CollectiveCall& call, std::size_t member);
Bytes shard_begin(const CollectiveCall& call, std::size_t member);
Bytes largest_shard(const CollectiveCall& call);
/// Rounds in which a ring goes over the members' shards.
double ring_rounds(const CollectiveCall& call);

/// Bytes of the data, counted from the call's begin, and what their receiver does with them.
struct Piece {
  Bytes begin;
  Bytes bytes;
  Merge merge = Merge::adds;
};

TaskletId send(const CollectiveCall& call, std::size_t from, std::size_t to, const Piece& piece,
               TaskletGraphBuilder& graph);
/// The moment a member has summed what it got; the adding itself costs no time worth counting.
TaskletId add_sum(const CollectiveCall& call, std::size_t member, TaskletGraphBuilder& graph);
/// The same call among some of its members for a stretch of its bytes, each owning its share of theirs; `ready` by member of the
/// whole call.
CollectiveCall part_of(const CollectiveCall& call, const std::vector<std::size_t>& members, Bytes begin, Bytes bytes,
                       const std::vector<std::vector<TaskletId>>& ready);

/// What one message between two members takes: its bytes hold the streams, its latency does not.
struct Hop {
  Seconds on_wire;
  Seconds latency;
  Seconds total() const { return on_wire + latency; }
};
Hop hop(const CollectiveCall& call, std::size_t from, std::size_t to, Bytes bytes);

// Below, alpha is the latency and beta the bandwidth of equal paths, B = call.bytes, n members, k chunks or r rounds.

// Chains: chunks of call.chunk flow from member to member. k chunks over n - 1 hops take
// (n - 2 + k)(B / k) / beta + (n - 1) alpha; every member but the last sends B.
CollectiveResult broadcast(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult reduce(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult central_server(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_chain(const CollectiveCall& call);
double in_reduce(const CollectiveCall& call);
double in_central_server(const CollectiveCall& call);
Seconds chain_seconds(const CollectiveCall& call);
Seconds reduce_seconds(const CollectiveCall& call);
Seconds central_server_seconds(const CollectiveCall& call);

// Binomial trees: who has all bytes sends them whole to one who has none, member i to i + 2^r in round r if i < 2^r. In
// broadcast_tree member i > 0 is reached after floor(log2 i) + 1 messages sent and as many latencies as i has bits:
// log2(n) (alpha + B / beta) for n = 2^k. reduce_tree goes the same ways back; a member with several children gets them one
// after another. n - 1 messages of B in all.
CollectiveResult broadcast_tree(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult reduce_tree(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_broadcast_tree(const CollectiveCall& call);
double in_reduce_tree(const CollectiveCall& call);
Seconds broadcast_tree_seconds(const CollectiveCall& call);
Seconds reduce_tree_seconds(const CollectiveCall& call);

// Rings: n - 1 (all-reduce: 2 (n - 1)) steps of alpha + S / (r beta), r times, S = the largest shard, B / n if they are even
// (Patarasuk and Yuan 2009). Member i sends all shards but the next member's (all_gather: its own's successor), all-reduce
// twice: 2 B less what it leaves out.
CollectiveResult ring_all_reduce(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult reduce_scatter(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult all_gather(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_ring(const CollectiveCall& call);
double in_half_ring(const CollectiveCall& call);
Seconds ring_seconds(const CollectiveCall& call);
Seconds half_ring_seconds(const CollectiveCall& call);

// Every member to every other: n - 1 messages of B / n one after the other and one latency, for the server twice. Of uneven
// shards: (n - 1) S / beta and a latency at least, as who owns the largest gets it n - 1 times, or sends it as often.
CollectiveResult sharded_server(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult all_to_all(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_sharded_server(const CollectiveCall& call);
double in_all_to_all(const CollectiveCall& call);
Seconds sharded_server_seconds(const CollectiveCall& call);
Seconds all_to_all_seconds(const CollectiveCall& call);

/// Rings on levels: reduce-scatter inside each group, all-reduce among those who hold the same bytes, one of each group,
/// all-gather inside. Two levels: regions or, where all members stand in one region, machines. Three: machines, then
/// regions. Groups of one size m (R of them) on two levels: 2 (m - 1)(alpha + B / (m beta)) +
/// 2 (R - 1)(alpha + B / (m R beta)). Groups of different sizes, or shares, cut the bytes wherever one of them does; a member
/// then takes part in an all-reduce for each piece of its shard.
CollectiveResult hierarchical_ring(const CollectiveCall& call, TaskletGraphBuilder& graph);
CollectiveResult hierarchical_ring_3(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_hierarchical_ring(const CollectiveCall& call);
double in_hierarchical_ring_3(const CollectiveCall& call);
Seconds hierarchical_ring_seconds(const CollectiveCall& call);
Seconds hierarchical_ring_3_seconds(const CollectiveCall& call);

/// Recursive vector halving and distance doubling, then back (Rabenseifner 2004; Thakur, Rabenseifner and Gropp 2005):
/// 2 log2(p) alpha + 2 (p - 1) / p B / beta for p = 2^k members. Of n = p + r members, the r odd ones of the first 2 r stand
/// in for their neighbours: one message of B before, one after, 2 (alpha + B / beta) more at least.
CollectiveResult recursive_halving_doubling(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_recursive_halving_doubling(const CollectiveCall& call);
Seconds recursive_halving_doubling_seconds(const CollectiveCall& call);

/// Two binary trees, each for half of the bytes, chunk by chunk up to the root and down again; who is inside one tree is a
/// leaf of the other, or nearly so (Sanders, Speck and Träff 2009; NCCL). Latency: 2 (floor(log2(n - 1)) + 1) alpha; bytes: up to
/// 2.5 B of one member. Our streams pass one message at a time, so that large messages take up to 1.7 times 2 B / beta.
CollectiveResult double_binary_tree(const CollectiveCall& call, TaskletGraphBuilder& graph);
double in_double_binary_tree(const CollectiveCall& call);
Seconds double_binary_tree_seconds(const CollectiveCall& call);

}  // namespace longhaul
