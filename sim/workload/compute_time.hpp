// How long computing takes: measured times where there are any, else FLOP over an efficiency curve.
#pragma once

#include "sim/description/job.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// Times of one rank of a stage on a device.
struct StageTimes {
  Seconds forward;   // one micro-batch
  Seconds backward;  // one micro-batch, recomputation included
  Seconds
      weight_gradient;  // one micro-batch: what of backward a schedule that splits it computes apart, by FLOP; else nothing
  Seconds weight_update;  // one iteration
};

/// In this order: times given in the scenario; a layer profile; kernel by kernel (kernel_time.hpp); FLOP / (peak in the job's precision x efficiency). The efficiency follows Hockney's
/// curve e w / (w + w_half) in the work w that a device has per layer and micro-batch; w_half = 0 makes it constant. The
/// host's overhead is added to forward, backward and weight gradients. A weight-update rate replaces the optimizer's time of the others.
/// With kernels a forward or backward takes as long as the host needs to launch it, if that is longer; `sum`, the time of a sum among slices
/// that is part of it, counts towards that. A profile without optimizer times leaves that to memory bandwidth: 28 bytes per parameter. What moves to the host comes last
/// (offload.hpp). Where ZeRO shards the optimizer, each replica updates its share of the weights. With context parallelism each rank computes a
/// part of every sequence, of equal work (a causal mask is shared out evenly): profiled times are divided by the parts, given ones are not.
/// A speed factor
/// divides all times but the host's: overhead, and an optimizer with a rate. UserError where a profile or an efficiency says nothing about the device.
StageTimes stage_times(const Job& job, const Plan& plan, const StageLoad& load, Stage stage, const Device& device,
                       Seconds sum = Seconds());

}  // namespace longhaul
