// What devices hold over time: the estimate of sim/workload/memory.hpp, with activations by when steps really ran.
#pragma once

#include <string>
#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// Of one stage (of one replica, where these differ): the device among its ranks that holds most at once, the first of equals.
struct DeviceMemory {
  StageMemory estimate;
  DeviceId device;
  struct Moment {
    Seconds time;  // from here to the next moment
    Bytes activations;
    Bytes working_set;
    Bytes logits;
    Bytes fragmentation;  // the estimate's share of what is held
  };
  std::vector<Moment> moments;  // in order of time, the first at 0

  /// Together with what is there all the time: parameters, gradients, optimizer, messages, runtime.
  Bytes total(const Moment& moment) const;
  Bytes peak() const;  // at most the estimate's total
};

/// Activations are held from the start of a chunk's forward to the end of its backward (where that is split, of the gradients
/// of the weights; in between all that these need); one layer's working set while a backward runs that recomputes; logits from
/// the start of the last chunk's forward to the end of its backward, for one micro-batch.
std::vector<DeviceMemory> memory_timeline(const Job& job, const Plan& plan, const TaskletGraph& graph,
                                          const Timeline& timeline);

/// CSV, one line per stage and moment: time_s,stage,replica,device, then bytes by part and total_bytes. At most 1000 lines a
/// stage: where there are more moments, the fullest of each thousandth of the iteration, beside the first.
std::string memory_csv(const std::vector<DeviceMemory>& stages, const PlatformView& platform);

}  // namespace longhaul
