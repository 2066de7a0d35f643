// Faster devices get more: layers within a replica, micro-batches between replicas.
#pragma once

#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/plan_settings.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// How long a replica of a placed plan takes, by its stages on their slowest devices; gradient sync is not in it.
struct ReplicaPace {
  Seconds fill;         // until the first micro-batch has passed forth and back, beyond `micro_batch`
  Seconds micro_batch;  // what each takes where it takes longest: a stage's computing, or one of its messages
  /// Of m micro-batches: fill + m micro_batch.
  Seconds of(std::size_t micro_batches) const { return fill + micro_batch * static_cast<double>(micro_batches); }
};
ReplicaPace pace_of(const Job& job, const Plan& plan, const PlatformView& platform, Replica replica);

/// The plan with these replicas (set_pipelines), placed as before.
Plan with_pipelines(const Plan& plan, const std::vector<PipelinePlan>& pipelines);

/// The placed plan with its work shared out by the speed of its devices. Layers: within each replica one by one to the stage
/// that is done with it first and whose devices hold it. Micro-batches: one by one to the replica that is done with them first,
/// as many as before in all; with ZeRO stages 2 and 3, where all replicas run as many, sequences of each micro-batch instead.
/// What cannot be shared out stays as it is: layers of virtual stages, micro-batches of different sizes, replicas that share
/// experts, all where sequences are cut (plan.context).
Plan balanced(const Job& job, const Plan& plan, const PlatformView& platform, const Balance& balance);

}  // namespace longhaul
