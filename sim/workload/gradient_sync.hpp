// Gradient sync of one group of ranks as tasklets.
#pragma once

#include "sim/description/job.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/sync_team.hpp"

namespace longhaul {

/// Per rank of the plan and sync group: after which tasklets its gradients are complete.
using CompleteGradients = std::vector<std::vector<std::vector<TaskletId>>>;

/// The call with its bytes: `gradient` bytes per member as the plan compresses them.
CollectiveCall gradient_call(const Job& job, const Plan& plan, CollectiveCall call, Bytes gradient);

/// A call of plan.gradient_sync, with ZeRO of its reduce-scatter, for `gradient` bytes per member: compressed as the plan says,
/// after each member has spent the time of compressing. `call` is complete but for its bytes.
CollectiveResult emit_gradient_call(const Job& job, const Plan& plan, const CollectiveCall& call, Bytes gradient,
                                    TaskletGraphBuilder& graph);

/// Every member gets the parameters of which each holds a share (ZeRO), `parameters` bytes in all, never compressed. `call` as
/// above.
CollectiveResult emit_parameter_gather(const CollectiveCall& call, Bytes parameters, TaskletGraphBuilder& graph);

/// The calls that synchronise a team's gradients, one for each of its pieces: each transfer carries its part of the
/// compressed bytes, partial sums are taken to keep that size. With plan.compression_rate each member first spends the time
/// of compressing on its compute stream. `call` is the team's, complete but for bytes and readiness, `places` its order; the result
/// holds, per member of the call, after what all pieces are synchronised.
CollectiveResult emit_gradient_sync(const Job& job, const Plan& plan, const CollectiveCall& call,
                                    const SyncTeam& team, const std::vector<std::size_t>& places,
                                    const CompleteGradients& complete, TaskletGraphBuilder& graph);

}  // namespace longhaul
