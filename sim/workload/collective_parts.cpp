#include "sim/workload/collective_parts.hpp"

#include <algorithm>
#include <cmath>

namespace longhaul {

double pieces(Bytes whole, Bytes piece) { return std::max(1.0, std::ceil(whole / piece)); }

double members_of(const CollectiveCall& call) { return static_cast<double>(call.ranks.size()); }

double ring_rounds(const CollectiveCall& call) {
  return call.ring_chunk ? pieces(call.bytes / members_of(call), *call.ring_chunk) : 1;
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

TaskletId add_sum(const CollectiveCall& call, std::size_t member, TaskletGraphBuilder& graph) {
  Tasklet sum;
  sum.kind = TaskletKind::reduction;
  sum.rank = call.ranks[member];
  sum.device = sum.target = call.devices[member];
  return graph.add(sum);
}

CollectiveCall part_of(const CollectiveCall& call, const std::vector<std::size_t>& members, Bytes bytes,
                       const std::vector<std::vector<TaskletId>>& ready) {
  CollectiveCall part;
  part.kind = call.kind;
  part.messages = call.messages;
  part.bytes = bytes;
  part.chunk = call.chunk;
  part.ring_chunk = call.ring_chunk;
  for (const std::size_t member : members) {
    part.ranks.push_back(call.ranks[member]);
    part.devices.push_back(call.devices[member]);
    part.ready.push_back(ready[member]);
  }
  return part;
}

}  // namespace longhaul
