#include "sim/workload/collective_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/workload/transport.hpp"

namespace longhaul {
namespace {

Tasklet message(const CollectiveCall& call, std::size_t from, std::size_t to, Bytes bytes) {
  Tasklet transfer;
  transfer.kind = call.kind;
  transfer.messages = call.messages;
  if (from < call.ranks.size()) transfer.rank = call.ranks[from];
  transfer.device = call.devices[from];
  transfer.target = call.devices[to];
  transfer.bytes = bytes;
  return transfer;
}

template <class Value>
std::vector<Value> of_members(const std::vector<Value>& values, const std::vector<std::size_t>& members) {
  std::vector<Value> result;
  if (values.empty()) return result;
  for (const std::size_t member : members) result.push_back(values[member]);
  return result;
}

}  // namespace

double pieces(Bytes whole, Bytes piece) { return std::max(1.0, std::ceil(whole / piece)); }

double members_of(const CollectiveCall& call) { return static_cast<double>(call.ranks.size()); }

Bytes shard(const CollectiveCall& call, std::size_t member) {
  return call.shares.empty() ? call.bytes / members_of(call) : call.bytes * call.shares[member];
}

Bytes shard_begin(const CollectiveCall& call, std::size_t member) {
  if (call.shares.empty()) return call.bytes / members_of(call) * static_cast<double>(member);
  const auto end = call.shares.begin() + static_cast<std::ptrdiff_t>(member);
  return call.bytes * std::accumulate(call.shares.begin(), end, 0.0);
}

Bytes largest_shard(const CollectiveCall& call) {
  if (call.shares.empty()) return shard(call, 0);
  return call.bytes * *std::max_element(call.shares.begin(), call.shares.end());
}

double ring_rounds(const CollectiveCall& call) {
  return call.ring_chunk ? pieces(largest_shard(call), *call.ring_chunk) : 1;
}

TaskletId send(const CollectiveCall& call, std::size_t from, std::size_t to, const Piece& piece,
               TaskletGraphBuilder& graph) {
  const TaskletId id = graph.add(message(call, from, to, piece.bytes));
  if (call.carried != nullptr)
    call.carried->push_back({id, call.begin + piece.begin, call.begin + piece.begin + piece.bytes, piece.merge});
  return id;
}

TaskletId add_sum(const CollectiveCall& call, std::size_t member, TaskletGraphBuilder& graph) {
  Tasklet sum;
  sum.kind = TaskletKind::reduction;
  sum.rank = call.ranks[member];
  sum.device = sum.target = call.devices[member];
  return graph.add(sum);
}

CollectiveCall part_of(const CollectiveCall& call, const std::vector<std::size_t>& members, Bytes begin, Bytes bytes,
                       const std::vector<std::vector<TaskletId>>& ready) {
  CollectiveCall part;
  part.kind = call.kind;
  part.messages = call.messages;
  part.ranks = of_members(call.ranks, members);
  part.devices = of_members(call.devices, members);
  part.regions = of_members(call.regions, members);
  part.machines = of_members(call.machines, members);
  part.ready = of_members(ready, members);
  part.shares = of_members(call.shares, members);
  const double owned = std::accumulate(part.shares.begin(), part.shares.end(), 0.0);
  if (owned == 0) part.shares.clear();
  for (double& share : part.shares) share /= owned;
  part.bytes = bytes;
  part.chunk = call.chunk;
  part.ring_chunk = call.ring_chunk;
  part.begin = call.begin + begin;
  part.platform = call.platform;
  part.network = call.network;
  part.carried = call.carried;
  return part;
}

Hop hop(const CollectiveCall& call, std::size_t from, std::size_t to, Bytes bytes) {
  require(call.platform != nullptr && call.network != nullptr, "predicted times without paths");
  const Transport transport(*call.platform, *call.network);
  const Tasklet transfer = message(call, from, to, bytes);
  const BytesPerSecond bandwidth = call.platform->path(transfer.device, transfer.target).bandwidth;
  const Seconds passing = Bytes(static_cast<double>(transport.wire_bytes(transfer))) / bandwidth;
  return {std::max(passing, transport.shortest_by_window(transfer)), transport.latency(transfer)};
}

}  // namespace longhaul
