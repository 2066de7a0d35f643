// Gradient sync of one group of ranks as tasklets.
#pragma once

#include "sim/description/job.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/sync_group.hpp"

namespace longhaul {

/// Per rank of the plan and sync group: after which tasklets its gradients are complete.
using CompleteGradients = std::vector<std::vector<std::vector<TaskletId>>>;

/// A call of plan.gradient_sync, with ZeRO of its reduce-scatter, for `gradient` bytes per member: compressed as the plan says,
/// after each member has spent the time of compressing. `call` is complete but for its bytes.
CollectiveResult emit_gradient_call(const Job& job, const Plan& plan, const CollectiveCall& call, Bytes gradient,
                                    TaskletGraphBuilder& graph);

/// Every member gets the parameters of which each holds a share (ZeRO), `parameters` bytes in all, never compressed. `call` as
/// above.
CollectiveResult emit_parameter_gather(const CollectiveCall& call, Bytes parameters, TaskletGraphBuilder& graph);

/// The calls that synchronise `gradient` bytes per member, one for each sync group: each transfer carries its part of the compressed bytes, partial sums are taken to keep that size. With
/// plan.compression_rate each member first spends the time of compressing on its compute stream. `group` is complete but for
/// bytes and readiness; the result holds, per member, after what all its groups are synchronised.
CollectiveResult emit_gradient_sync(const Job& job, const Plan& plan, const CollectiveCall& group, Bytes gradient,
                                    const std::vector<SyncGroup>& parts, const CompleteGradients& complete,
                                    TaskletGraphBuilder& graph);

}  // namespace longhaul
