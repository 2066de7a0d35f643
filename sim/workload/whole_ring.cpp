#include "sim/workload/whole_ring.hpp"

#include "sim/base/error.hpp"
#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

// Of a member; 0 where the collective is no ring or its steps stand apart.
std::size_t steps_at_once(const std::string& name, const CollectiveCall& call) {
  if (call.network == nullptr || call.network->ring_steps == RingSteps::apart || call.ranks.size() < 2) return 0;
  if (name == "ring_all_reduce") return 2 * (call.ranks.size() - 1);
  return name == "reduce_scatter" || name == "all_gather" ? call.ranks.size() - 1 : 0;
}

Tasklet transfer(const CollectiveCall& call, std::size_t from, TaskletKind kind) {
  const std::size_t to = (from + 1) % call.ranks.size();
  Tasklet task;
  task.kind = kind;
  task.rank = call.ranks[from];
  task.device = call.devices[from];
  task.target = call.devices[to];
  return task;
}

// A point in time that no stream waits for.
TaskletId add_moment(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  Tasklet task = transfer(call, 0, TaskletKind::barrier_message);
  task.messages = 0;
  return graph.add(task);
}

}  // namespace

CollectiveResult emit_collective(const std::string& name, const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const Collective* collective = find_collective(name);
  require(collective != nullptr, "the plan names no collective");
  const std::size_t steps = steps_at_once(name, call);
  if (steps == 0) return collective->emit(call, graph);
  const std::size_t members = call.ranks.size();
  const TaskletId begin = add_moment(call, graph);
  for (const std::vector<TaskletId>& ready : call.ready) graph.order(ready, begin);
  std::vector<TaskletId> sent;
  for (std::size_t from = 0; from < members; ++from) {
    Tasklet task = transfer(call, from, call.kind);
    task.messages = call.messages * static_cast<std::uint32_t>(steps);
    task.bytes = largest_shard(call) * static_cast<double>(steps);
    sent.push_back(graph.add(task));
    graph.order(begin, sent.back());
  }
  const TaskletId end = add_moment(call, graph);
  graph.order(sent, end);
  return CollectiveResult(members, {end});
}

double tasklets_in(const std::string& name, const CollectiveCall& call) {
  const std::size_t steps = steps_at_once(name, call);
  return steps == 0 ? find_collective(name)->tasklets(call) : static_cast<double>(call.ranks.size()) + 2;
}

}  // namespace longhaul
