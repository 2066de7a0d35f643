#include "sim/workload/collective.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace longhaul {
namespace {

// As a double, since it may be too many to build.
double pieces(Bytes whole, Bytes piece) { return std::max(1.0, std::ceil(whole / piece)); }

double members_of(const CollectiveCall& call) { return static_cast<double>(call.ranks.size()); }

double ring_rounds(const CollectiveCall& call) {
  return call.ring_chunk ? pieces(call.bytes / members_of(call), *call.ring_chunk) : 1;
}

// Tasklets that a call emits.
double in_chain(const CollectiveCall& call) { return (members_of(call) - 1) * pieces(call.bytes, call.chunk); }
double in_reduce(const CollectiveCall& call) { return in_chain(call) + 1; }
double in_central_server(const CollectiveCall& call) { return in_chain(call) + in_reduce(call); }
double in_sharded_server(const CollectiveCall& call) { return (2 * (members_of(call) - 1) + 1) * members_of(call); }
double in_ring(const CollectiveCall& call) {
  return 2 * (members_of(call) - 1) * members_of(call) * ring_rounds(call);
}

TaskletId send(const CollectiveCall& call, std::size_t from, std::size_t to, Bytes bytes,
               TaskletGraphBuilder& graph) {
  Tasklet transfer;
  transfer.kind = call.kind;
  transfer.messages = call.messages;
  transfer.rank = call.ranks[from];
  transfer.device = call.devices[from];
  transfer.target = call.devices[to];
  transfer.bytes = bytes;
  return graph.add(transfer);
}

// The moment a member has summed what it got; the adding itself costs no time worth counting.
TaskletId add_sum(const CollectiveCall& call, std::size_t member, TaskletGraphBuilder& graph) {
  Tasklet sum;
  sum.kind = TaskletKind::reduction;
  sum.rank = call.ranks[member];
  sum.device = sum.target = call.devices[member];
  return graph.add(sum);
}

// Reduce-scatter, then all-gather around the ring in group order, `piece` bytes a step: 2 (n - 1) steps, each waiting for
// the last. Adds to each member's result what completes it.
void ring_round(const CollectiveCall& call, const std::vector<std::vector<TaskletId>>& ready, Bytes piece,
                TaskletGraphBuilder& graph, CollectiveResult& result) {
  const std::size_t members = call.ranks.size();
  std::vector<TaskletId> arrived(members);  // the piece that member i received in the last step
  for (std::size_t step = 0; step < 2 * (members - 1); ++step) {
    std::vector<TaskletId> sent(members);
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + 1) % members;
      sent[to] = send(call, from, to, piece, graph);
      // The first step sends what the member has; the second adds its own data to what it got; the others pass on.
      if (step <= 1) graph.order(ready[from], sent[to]);
      if (step >= 1) graph.order(arrived[from], sent[to]);
    }
    arrived = sent;
    // From the last reduce-scatter step on, every arrival is a finished piece of the sum. (Each has passed another member
    // first, so that all of them together also wait for what the member itself gave.)
    if (step + 2 >= members)
      for (std::size_t member = 0; member < members; ++member) result[member].push_back(arrived[member]);
  }
}

// One round over the whole share takes 2 (n - 1) (alpha + B / (n beta)) on equal links (Patarasuk and Yuan 2009); r rounds
// pay r times the latency.
CollectiveResult ring_all_reduce(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const Bytes share = call.bytes / members_of(call);
  const auto rounds = static_cast<std::size_t>(ring_rounds(call));
  std::vector<std::vector<TaskletId>> ready = call.ready;
  CollectiveResult result;
  for (std::size_t round = 0; round < rounds; ++round) {
    result.assign(call.ranks.size(), {});
    ring_round(call, ready, share / static_cast<double>(rounds), graph, result);
    ready = result;
  }
  return result;
}

// Chunks flow along a chain of members; each is passed on when it has arrived (and, reducing, when the member's own
// data is ready). Adds what arrives to arrivals[member].
void chain(const CollectiveCall& call, const std::vector<std::size_t>& order,
           const std::vector<std::vector<TaskletId>>& ready, TaskletGraphBuilder& graph, CollectiveResult& arrivals) {
  const auto chunks = static_cast<std::size_t>(pieces(call.bytes, call.chunk));
  const Bytes piece = call.bytes / static_cast<double>(chunks);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    for (std::size_t hop = 0; hop + 1 < order.size(); ++hop) {
      const std::size_t from = order[hop];
      const TaskletId sent = send(call, from, order[hop + 1], piece, graph);
      graph.order(ready[from], sent);
      if (hop > 0) graph.order(arrivals[from][chunk], sent);
      arrivals[order[hop + 1]].push_back(sent);
    }
  }
}

// Member 0's data along 0, 1, …, n - 1.
CollectiveResult broadcast(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  std::vector<std::size_t> down(members);
  std::iota(down.begin(), down.end(), 0);
  std::vector<std::vector<TaskletId>> ready(members);
  ready[0] = call.ready[0];
  CollectiveResult received(members);
  chain(call, down, ready, graph, received);
  received[0] = call.ready[0];
  return received;
}

// The sum to member 0 along NCCL's ring 1, 2, …, n - 1, 0.
CollectiveResult reduce(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  std::vector<std::size_t> up;
  for (std::size_t i = 0; i < members; ++i) up.push_back((i + 1) % members);
  CollectiveResult reduced(members);
  chain(call, up, call.ready, graph, reduced);
  const TaskletId sum = add_sum(call, 0, graph);
  graph.order(reduced[0], sum);
  graph.order(call.ready[0], sum);
  CollectiveResult result = call.ready;  // the others are through when they have sent
  result[0] = {sum};
  return result;
}

// A reduce to member 0, then a broadcast from it: two calls, the second starts when the first is complete.
CollectiveResult central_server(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  CollectiveCall down = call;
  down.ready = reduce(call, graph);
  return broadcast(down, graph);
}

// Every member serves one shard: all-to-all of B / n, local sum, all-gather of the sums (DT-FM's colocated sharded
// parameter server, arXiv 2206.01288 section 3). In round r member i sends to i + r.
CollectiveResult sharded_server(const CollectiveCall& gradients, TaskletGraphBuilder& graph) {
  CollectiveCall call = gradients;
  call.kind = TaskletKind::gradient_exchange;
  const std::size_t members = call.ranks.size();
  const Bytes shard = call.bytes / static_cast<double>(members);
  CollectiveResult gathered(members);
  std::vector<TaskletId> sums;
  for (std::size_t member = 0; member < members; ++member) {
    sums.push_back(add_sum(call, member, graph));
    graph.order(call.ready[member], sums.back());
    gathered[member].push_back(sums.back());
  }
  for (std::size_t round = 1; round < members; ++round)
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + round) % members;
      const TaskletId sent = send(call, from, to, shard, graph);
      graph.order(call.ready[from], sent);
      graph.order(sent, sums[to]);
    }
  for (std::size_t round = 1; round < members; ++round)
    for (std::size_t from = 0; from < members; ++from) {
      const std::size_t to = (from + round) % members;
      const TaskletId sent = send(call, from, to, shard, graph);
      graph.order(sums[from], sent);
      gathered[to].push_back(sent);
    }
  return gathered;
}

}  // namespace

const std::vector<Collective>& collectives() {
  static const std::vector<Collective> table{
      {"central_server", "reduce to replica 0, then broadcast, chunk by chunk along a chain", true, central_server,
       in_central_server},
      {"sharded_server", "every replica sums one shard: all-to-all, sum, all-gather", true, sharded_server,
       in_sharded_server},
      {"ring_all_reduce", "reduce-scatter, then all-gather around a ring", true, ring_all_reduce, in_ring},
      {"broadcast", "replica 0 to all, chunk by chunk along a chain; a building block", false, broadcast, in_chain},
      {"reduce", "the sum to replica 0, chunk by chunk along a chain; a building block", false, reduce, in_reduce},
  };
  return table;
}

const Collective* find_collective(const std::string& name) {
  for (const Collective& collective : collectives())
    if (name == collective.name) return &collective;
  return nullptr;
}

}  // namespace longhaul
