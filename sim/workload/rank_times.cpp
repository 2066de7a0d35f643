#include "sim/workload/rank_times.hpp"

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
  forward_handling_.assign(ranks, Seconds());
  backward_handling_.assign(ranks, Seconds());
  const Degrees& degrees = plan_.degrees;
  for (std::size_t i = 0; i < ranks; ++i) {
    const RankId rank(i);
    const Stage stage = degrees.stage(rank);
    times_[i] = stage_times(job_, plan_, loads_[stage.value], stage, platform_.device(devices_[i]));
    if (stage.value + 1 < degrees.pipeline) forward_handling_[i] = handling(rank, RankId(i + degrees.tensor));
    if (stage.value > 0) backward_handling_[i] = handling(rank, RankId(i - degrees.tensor));
    forward_handling_[i] += compressing_time(stage);
    backward_handling_[i] += compressing_time(stage);
  }
}

void RankTimes::set_times(Tasklet& task) const {
  const StageTimes& times = times_[task.rank.value];
  if (task.kind == TaskletKind::forward) {
    task.compute = times.forward * task.share;
    if (task.completes) task.handling = forward_handling_[task.rank.value];
  } else if (task.kind == TaskletKind::backward) {
    task.compute = times.backward * task.share;
    if (task.completes) task.handling = backward_handling_[task.rank.value];
  } else if (task.kind == TaskletKind::weight_update) {
    task.compute = times.weight_update;
    task.handling = update_handling(plan_.degrees.stage(task.rank));
  }
}

// What a rank sends it compresses, what it gets it decompresses, both at the same rate.
Seconds RankTimes::compressing_time(Stage stage) const {
  if (plan_.activation_compression.method == "none" || !plan_.compression_rate) return {};
  const double messages = (stage.value > 0 ? 1 : 0) + (stage.value + 1 < plan_.degrees.pipeline ? 1 : 0);
  return loads_.front().activation / static_cast<double>(plan_.degrees.tensor) / *plan_.compression_rate * messages;
}

Seconds RankTimes::update_handling(Stage stage) const {
  const bool compressed = plan_.degrees.data > 1 && plan_.gradient_compression.method != "none";
  if (!compressed || !plan_.compression_rate) return {};
  return loads_[stage.value].gradient / static_cast<double>(plan_.degrees.tensor) / *plan_.compression_rate;
}

Seconds RankTimes::handling(RankId sender, RankId receiver) const {
  const bool same_machine = platform_.same_machine(devices_[sender.value], devices_[receiver.value]);
  return same_machine ? Seconds() : network_.message_cost;
}

}  // namespace longhaul
