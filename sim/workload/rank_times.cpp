#include "sim/workload/rank_times.hpp"

#include <algorithm>

#include "sim/description/cluster.hpp"
#include "sim/workload/sync_call.hpp"
#include "sim/workload/tensor_sum.hpp"

namespace longhaul {
namespace {

std::vector<StageLoad> loads_of(const Job& job, const Plan& plan) {
  std::vector<StageLoad> loads;
  for (std::size_t replica = 0; replica < plan.degrees.data; ++replica) {
    const PipelinePlan pipeline = plan.pipeline(Replica(replica));
    const std::vector<StageLoad> stages = stage_loads(job, pipeline.layers, pipeline.micro_batch_size);
    loads.insert(loads.end(), stages.begin(), stages.end());
  }
  return loads;
}

}  // namespace

RankTimes::RankTimes(const Job& job, const Plan& plan, const PlatformView& platform, const NetworkModel& network)
    : job_(job),
      plan_(plan),
      platform_(platform),
      network_(network),
      layout_(plan),
      chain_(plan, layout_),
      loads_(loads_of(job, plan)) {
  if (plan.compression_rate && !plan.gradient_compression.is_uniform()) teams_ = sync_teams(job, plan, layout_).teams;
  place(plan.rank_of_device);
}

void RankTimes::place(const std::vector<RankId>& rank_of_device) {
  plan_.rank_of_device = rank_of_device;
  devices_ = plan_.device_of_rank();
  const std::size_t ranks = devices_.size();
  times_.resize(ranks);
  sums_.resize(ranks);
  handling_.clear();
  find_ring_rates();
  const StagePlans plans(plan_, layout_);
  for (std::size_t i = 0; i < ranks; ++i) {
    const RankId rank(i);
    sums_[i] = longhaul::measured_sum(network_, layout_, platform_, devices_, rank,
                                      load(rank).activation / static_cast<double>(plan_.degrees.context));
    times_[i] = stage_times(job_, plans.of_cell(layout_.cell(rank)), load(rank), layout_.stage(rank),
                            platform_.device(devices_[i]), sums_[i].value_or(Seconds()));
    if (plan_.sharding() == 0 && plan_.expert > 1)
      times_[i].weight_update =
          times_[i].weight_update * plan_.held_share(load(rank).parameters, load(rank).expert_parameters);
    if (plan_.sharding() > 0 && !plan_.shards.empty())
      times_[i].weight_update =
          times_[i].weight_update * (plan_.shard_of(layout_.replica(rank)) * static_cast<double>(plan_.degrees.data));
    for (std::size_t chunk = 0; chunk < plan_.virtual_stages; ++chunk) handling_.push_back(handling_of(rank, chunk));
  }
}

void RankTimes::set_times(Tasklet& task) const {
  const StageTimes& times = times_[task.rank.value];
  if (task.kind == TaskletKind::forward) {
    task.compute = times.forward * task.share;
    task.handling = handling_within(task);
    if (task.completes) task.handling += handling_[task.rank.value * plan_.virtual_stages + task.chunk].forward;
  } else if (task.kind == TaskletKind::backward) {
    task.compute = times.backward * task.share;
    task.handling = handling_within(task);
    if (task.completes) task.handling += handling_[task.rank.value * plan_.virtual_stages + task.chunk].backward;
  } else if (task.kind == TaskletKind::weight_gradient) {
    task.compute = times.weight_gradient * task.share;
    task.handling = handling_within(task);
  } else if (task.kind == TaskletKind::weight_update) {
    task.compute = times.weight_update;
    task.handling = update_handling(task.rank);
  }
}

// Sums among slices that are part of a computation, and what collectives that pass beside it take from it.
Seconds RankTimes::handling_within(const Tasklet& task) const {
  Seconds handling;
  if (task.sums > 0) handling += *sums_[task.rank.value] * static_cast<double>(task.sums);
  if (task.bytes > Bytes() && network_.overlap_cost > 0)
    handling += task.bytes / ring_rates_[layout_.slice(task.rank)] * network_.overlap_cost;
  return handling;
}

// Of the slowest link in the ring of each slice's copies, where one stage shards its gradients.
void RankTimes::find_ring_rates() {
  ring_rates_.clear();
  if (plan_.sharding() < 2 || network_.overlap_cost == 0) return;
  for (std::size_t slice = 0; slice < plan_.degrees.tensor; ++slice) {
    const std::vector<RankId> ranks = layout_.copies(Stage(0), slice);
    const std::vector<DeviceId> ring = sync_call(plan_, ranks, slice, devices_, platform_, network_).devices;
    BytesPerSecond slowest = unlimited_bandwidth;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const DeviceId next = ring[(i + 1) % ring.size()];
      const double share = platform_.same_machine(ring[i], next) ? 1 : network_.collective_efficiency;
      slowest = std::min(slowest, platform_.path(ring[i], next).bandwidth * share);
    }
    ring_rates_.push_back(slowest);
  }
}

RankTimes::Handling RankTimes::handling_of(RankId rank, std::size_t chunk) const {
  const std::vector<ChunkPeer>& after = chain_.after(rank, chunk);
  const std::vector<ChunkPeer>& before = chain_.before(rank, chunk);
  const Seconds compressing = compressing_time(rank, before, after);
  return {message_costs(rank, after) + compressing, message_costs(rank, before) + compressing};
}

// What a rank sends it compresses, what it gets it decompresses, both at the same rate.
Seconds RankTimes::compressing_time(RankId rank, const std::vector<ChunkPeer>& before,
                                    const std::vector<ChunkPeer>& after) const {
  if (!plan_.compression_rate) return {};
  Bytes bytes;
  for (const auto* peers : {&before, &after})
    for (const ChunkPeer& peer : *peers)
      if (compresses_message(rank, peer.rank)) bytes += peer.of(load(rank).activation);
  return bytes / *plan_.compression_rate;
}

bool RankTimes::compresses_message(RankId rank, RankId other) const {
  const PathCompression& compression = plan_.activation_compression;
  if (compression.is_uniform()) return compression.compresses(Reach::inside_machine);
  return compression.compresses(reach_between(platform_, devices_[rank.value], devices_[other.value]));
}

// Whether any team that the rank synchronises gradients with does it compressed.
bool RankTimes::compresses_gradients(RankId rank) const {
  const PathCompression& compression = plan_.gradient_compression;
  if (plan_.degrees.copies() == 1) return false;
  if (compression.is_uniform()) return compression.compresses(Reach::inside_machine);
  return std::any_of(teams_.begin(), teams_.end(), [&](const SyncTeam& team) {
    if (std::find(team.ranks.begin(), team.ranks.end(), rank) == team.ranks.end()) return false;
    std::vector<DeviceId> group;
    for (const RankId member : team.ranks) group.push_back(devices_[member.value]);
    return compression.compresses(widest_reach(platform_, group));
  });
}

Seconds RankTimes::update_handling(RankId rank) const {
  if (!plan_.compression_rate || !compresses_gradients(rank)) return {};
  const Replica replica = layout_.replica(rank);
  const bool even_shards = plan_.sharding() > 0 && plan_.shards.empty();
  const std::size_t shares =
      layout_.slices(replica, layout_.stage(rank)) * (even_shards ? plan_.degrees.copies() : 1);
  double share = plan_.sharding() > 0 && !even_shards ? plan_.shard_of(replica) : 1;
  if (plan_.sharding() == 0) share *= plan_.held_share(load(rank).parameters, load(rank).expert_parameters);
  return load(rank).gradient / static_cast<double>(shares) * share / *plan_.compression_rate;
}

Seconds RankTimes::message_costs(RankId sender, const std::vector<ChunkPeer>& receivers) const {
  Seconds sum;
  for (const ChunkPeer& receiver : receivers) sum += message_cost(sender, receiver.rank);
  return sum;
}

Seconds RankTimes::message_cost(RankId sender, RankId receiver) const {
  const bool same_machine = platform_.same_machine(devices_[sender.value], devices_[receiver.value]);
  return same_machine ? Seconds() : network_.message_cost;
}

}  // namespace longhaul
