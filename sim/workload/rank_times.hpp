// How long each rank of a placed plan computes: what its stage takes on its device, and what its messages cost the device.
#pragma once

#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/compute_time.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/tasklet.hpp"

namespace longhaul {

/// Keeps references to the job, the platform and the network. Can be moved on to another placement of the same plan.
class RankTimes {
 public:
  RankTimes(const Job& job, const Plan& plan, const PlatformView& platform, const NetworkModel& network);

  /// The same plan but for its placement.
  void place(const std::vector<RankId>& rank_of_device);

  const std::vector<DeviceId>& devices() const { return devices_; }
  DeviceId device(RankId rank) const { return devices_[rank.value]; }
  const std::vector<StageLoad>& loads() const { return loads_; }

  /// Sets `compute` and `handling` of a computation of `task.rank`, by its kind. A forward is sent on to the next chunk, a
  /// backward to the previous one; both cost network.message_cost if that is another machine,
  /// and compressing with plan.compression_rate. Of a step that is split, the last piece pays for messages.
  void set_times(Tasklet& task) const;

 private:
  struct Handling {
    Seconds forward, backward;
  };
  Handling handling_of(RankId rank, std::size_t chunk) const;
  Seconds message_cost(RankId sender, RankId receiver) const;
  Seconds compressing_time(double messages) const;
  bool compresses_message(RankId rank, RankId other) const;
  bool compresses_gradients(RankId rank) const;
  Seconds update_handling(RankId rank) const;

  const Job& job_;
  Plan plan_;
  const PlatformView& platform_;
  const NetworkModel& network_;
  std::vector<StageLoad> loads_;    // of each stage
  std::vector<DeviceId> devices_;   // of each rank
  std::vector<StageTimes> times_;   // of each rank
  std::vector<Handling> handling_;  // of each chunk of each rank
};

}  // namespace longhaul
