#include "sim/workload/rank_times.hpp"

#include "sim/workload/stage_part.hpp"

namespace longhaul {

RankTimes::RankTimes(const Job& job, const Plan& plan, const PlatformView& platform, const NetworkModel& network)
    : job_(job),
      plan_(plan),
      platform_(platform),
      network_(network),
      loads_(stage_loads(job, plan.layers_per_stage, plan.micro_batch_size)) {
  place(plan.rank_of_device);
}

void RankTimes::place(const std::vector<RankId>& rank_of_device) {
  plan_.rank_of_device = rank_of_device;
  devices_ = plan_.device_of_rank();
  const std::size_t ranks = devices_.size();
  times_.resize(ranks);
  handling_.clear();
  const Degrees& degrees = plan_.degrees;
  for (std::size_t i = 0; i < ranks; ++i) {
    const RankId rank(i);
    const Stage stage = degrees.stage(rank);
    times_[i] = stage_times(job_, plan_, loads_[stage.value], stage, platform_.device(devices_[i]));
    for (std::size_t chunk = 0; chunk < plan_.virtual_stages; ++chunk) handling_.push_back(handling_of(rank, chunk));
  }
}

void RankTimes::set_times(Tasklet& task) const {
  const StageTimes& times = times_[task.rank.value];
  if (task.kind == TaskletKind::forward) {
    task.compute = times.forward * task.share;
    if (task.completes) task.handling = handling_[task.rank.value * plan_.virtual_stages + task.chunk].forward;
  } else if (task.kind == TaskletKind::backward) {
    task.compute = times.backward * task.share;
    if (task.completes) task.handling = handling_[task.rank.value * plan_.virtual_stages + task.chunk].backward;
  } else if (task.kind == TaskletKind::weight_gradient) {
    task.compute = times.weight_gradient * task.share;
  } else if (task.kind == TaskletKind::weight_update) {
    task.compute = times.weight_update;
    task.handling = update_handling(task.rank);
  }
}

RankTimes::Handling RankTimes::handling_of(RankId rank, std::size_t chunk) const {
  const auto after = chunk_after(plan_, rank, chunk);
  const auto before = chunk_before(plan_, rank, chunk);
  const Seconds compressing = compressing_time((before && compresses_message(rank, before->rank) ? 1 : 0) +
                                               (after && compresses_message(rank, after->rank) ? 1 : 0));
  return {(after ? message_cost(rank, after->rank) : Seconds()) + compressing,
          (before ? message_cost(rank, before->rank) : Seconds()) + compressing};
}

// What a rank sends it compresses, what it gets it decompresses, both at the same rate.
Seconds RankTimes::compressing_time(double messages) const {
  if (messages == 0 || !plan_.compression_rate) return {};
  return loads_.front().activation / static_cast<double>(plan_.degrees.tensor) / *plan_.compression_rate * messages;
}

bool RankTimes::compresses_message(RankId rank, RankId other) const {
  const PathCompression& compression = plan_.activation_compression;
  if (compression.is_uniform()) return compression.compresses(Reach::inside_machine);
  return compression.compresses(reach_between(platform_, devices_[rank.value], devices_[other.value]));
}

bool RankTimes::compresses_gradients(RankId rank) const {
  const Degrees& degrees = plan_.degrees;
  const PathCompression& compression = plan_.gradient_compression;
  if (degrees.data == 1) return false;
  if (compression.is_uniform()) return compression.compresses(Reach::inside_machine);
  std::vector<DeviceId> group;
  for (std::size_t replica = 0; replica < degrees.data; ++replica)
    group.push_back(devices_[degrees.rank(Replica(replica), degrees.stage(rank), rank.value % degrees.tensor).value]);
  return compression.compresses(widest_reach(platform_, group));
}

Seconds RankTimes::update_handling(RankId rank) const {
  if (!plan_.compression_rate || !compresses_gradients(rank)) return {};
  const std::size_t shares = plan_.degrees.tensor * (plan_.sharding() > 0 ? plan_.degrees.data : 1);
  return loads_[plan_.degrees.stage(rank).value].gradient / static_cast<double>(shares) / *plan_.compression_rate;
}

Seconds RankTimes::message_cost(RankId sender, RankId receiver) const {
  const bool same_machine = platform_.same_machine(devices_[sender.value], devices_[receiver.value]);
  return same_machine ? Seconds() : network_.message_cost;
}

}  // namespace longhaul
