// How long each rank of a placed plan computes: what its stage takes on its device, and what its messages cost the device.
#pragma once

#include <optional>
#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/chunk_chain.hpp"
#include "sim/workload/compute_time.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/sync_team.hpp"
#include "sim/workload/tasklet.hpp"

namespace longhaul {

/// Keeps references to the job, the platform and the network. Can be moved on to another placement of the same plan.
class RankTimes {
 public:
  RankTimes(const Job& job, const Plan& plan, const PlatformView& platform, const NetworkModel& network);

  /// The same plan but for its placement.
  void place(const std::vector<RankId>& rank_of_device);

  const RankLayout& layout() const { return layout_; }
  const ChunkChain& chain() const { return chain_; }
  const std::vector<DeviceId>& devices() const { return devices_; }
  DeviceId device(RankId rank) const { return devices_[rank.value]; }
  /// What the rank's stage computes, sends and holds, all its slices together.
  const StageLoad& load(RankId rank) const { return loads_[layout_.cell(rank)]; }
  /// How long a sum among the slices of the rank's stage takes, where it is part of their computations (tensor_sum.hpp).
  const std::optional<Seconds>& measured_sum(RankId rank) const { return sums_[rank.value]; }

  /// Sets `compute` and `handling` of a computation of `task.rank`, by its kind. A forward is sent on to the next chunk, a
  /// backward to the previous one; both cost network.message_cost if that is another machine,
  /// compressing with plan.compression_rate, sums among slices that were measured, and the share network.overlap_cost of what
  /// collectives that pass beside it take. Of a step that is split, the last piece pays for messages.
  void set_times(Tasklet& task) const;

 private:
  struct Handling {
    Seconds forward, backward;
  };
  Handling handling_of(RankId rank, std::size_t chunk) const;
  Seconds handling_within(const Tasklet& task) const;
  void find_ring_rates();
  Seconds message_cost(RankId sender, RankId receiver) const;
  bool compresses_message(RankId rank, RankId other) const;
  bool compresses_gradients(RankId rank) const;
  Seconds message_costs(RankId sender, const std::vector<ChunkPeer>& receivers) const;
  Seconds compressing_time(RankId rank, const std::vector<ChunkPeer>& before,
                           const std::vector<ChunkPeer>& after) const;
  Seconds update_handling(RankId rank) const;

  const Job& job_;
  Plan plan_;
  const PlatformView& platform_;
  const NetworkModel& network_;
  RankLayout layout_;
  ChunkChain chain_;
  std::vector<SyncTeam> teams_;    // where compression of gradients depends on them
  std::vector<StageLoad> loads_;   // of each stage of each replica
  std::vector<DeviceId> devices_;  // of each rank
  std::vector<StageTimes> times_;  // of each rank
  std::vector<std::optional<Seconds>> sums_;
  std::vector<BytesPerSecond> ring_rates_;  // by slice, where network.overlap_cost asks for them
  std::vector<Handling> handling_;          // of each chunk of each rank
};

}  // namespace longhaul
