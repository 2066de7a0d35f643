// The workload generator of pipeline-parallel, data-parallel training: (job, plan) -> tasklets of one iteration.
#pragma once

#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// The tasklets of one iteration. Each rank computes in the order of its pipeline schedule, pass after pass;
/// activations go to the next stage and their gradients to the previous one, micro-batch by micro-batch (with virtual stages
/// from chunk to chunk, so from the last stage back to the first as well); after a
/// rank's last backward its stage's gradients are synchronised, then the weights updated. With plan.phase_barrier a
/// global barrier stands at the start, between the phases of each pass, and at the end.
///
/// With plan.synchronous_transfers an activation transfer starts only when its receiver has computed what comes before,
/// and its sender computes on only when it is delivered: Megatron-LM's batched isend and irecv, followed by a device
/// synchronisation. With tensor parallelism the slices of a stage sum their results after each step.
///
/// Activations and gradients are sent as plan.activation_compression and plan.gradient_compression say. With
/// plan.compression_rate a rank's computations also take the time of compressing what they send and decompressing what they
/// got (`handling`), gradient sync that of compressing before it, the weight update that of decompressing.
///
/// With plan.zero the replicas share the optimizer: gradients are scattered in place of plan.gradient_sync, each rank updates
/// its share, and the parameters are gathered after it (stages 1 and 2) or while computing (stage 3; sharded_steps.hpp). A
/// parameter takes as many bytes as its gradient.
///
/// The plan must be complete and fit job and platform (check_plan).
TaskletGraph pipeline_tasklets(const Job& job, const Plan& plan, const PlatformView& platform,
                               const NetworkModel& network);

}  // namespace longhaul
