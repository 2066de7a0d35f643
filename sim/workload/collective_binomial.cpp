#include <algorithm>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

// Who sends to a member: the number without its highest bit.
std::size_t parent_of(std::size_t member) {
  std::size_t bit = 1;
  while (2 * bit <= member) bit *= 2;
  return member - bit;
}

// In the order in which they are reached.
std::vector<std::size_t> children_of(std::size_t member, std::size_t members) {
  std::size_t bit = 1;
  while (bit <= member) bit *= 2;
  std::vector<std::size_t> children;
  for (; member + bit < members; bit *= 2) children.push_back(member + bit);
  return children;
}

}  // namespace

double in_broadcast_tree(const CollectiveCall& call) { return members_of(call) - 1; }
double in_reduce_tree(const CollectiveCall& call) { return members_of(call); }

CollectiveResult broadcast_tree(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  CollectiveResult received(members);
  received[0] = call.ready[0];
  for (std::size_t to = 1; to < members; ++to) {
    const std::size_t from = parent_of(to);
    const TaskletId sent = send(call, from, to, {Bytes(), call.bytes, Merge::replaces}, graph);
    graph.order(received[from], sent);
    received[to] = {sent};
  }
  return received;
}

CollectiveResult reduce_tree(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  CollectiveResult result = call.ready;  // most are through when they have sent
  std::vector<std::vector<TaskletId>> held = call.ready;
  for (std::size_t from = members - 1; from > 0; --from) {
    const TaskletId sent = send(call, from, parent_of(from), {Bytes(), call.bytes, Merge::adds}, graph);
    graph.order(held[from], sent);
    held[parent_of(from)].push_back(sent);
  }
  const TaskletId sum = add_sum(call, 0, graph);
  graph.order(held[0], sum);
  result[0] = {sum};
  return result;
}

Seconds broadcast_tree_seconds(const CollectiveCall& call) {
  const std::size_t members = call.ranks.size();
  std::vector<Seconds> reached(members);
  Seconds last;
  for (std::size_t from = 0; from < members; ++from) {
    Seconds sent = reached[from];
    for (const std::size_t to : children_of(from, members)) {
      const Hop one = hop(call, from, to, call.bytes);
      sent += one.on_wire;
      reached[to] = sent + one.latency;
      last = std::max(last, reached[to]);
    }
  }
  return last;
}

Seconds reduce_tree_seconds(const CollectiveCall& call) {
  const std::size_t members = call.ranks.size();
  std::vector<Seconds> complete(members);
  for (std::size_t to = members; to-- > 0;) {
    std::vector<std::size_t> children = children_of(to, members);
    std::stable_sort(children.begin(), children.end(),
                     [&](std::size_t a, std::size_t b) { return complete[a] < complete[b]; });
    Seconds received;
    for (const std::size_t from : children) {
      const Hop one = hop(call, from, to, call.bytes);
      received = std::max(received, complete[from]) + one.on_wire;
      complete[to] = std::max(complete[to], received + one.latency);
    }
  }
  return complete[0];
}

}  // namespace longhaul
