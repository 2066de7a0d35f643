// What a workload is made of: computations with a FLOP count and transfers with a byte count.
#pragma once

#include <limits>
#include <string>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace longhaul {

enum class TaskletKind : std::uint8_t {
  forward,              // computation: one stage, one micro-batch
  backward,             // computation: one stage, one micro-batch, recomputation included
  weight_gradient,      // computation: the part of backward that a schedule computes apart
  weight_update,        // computation: one stage, once per iteration
  reduction,            // computation: summing received gradient shards
  activation_transfer,  // transfer: activations to the next stage, or their gradients to the previous one
  gradient_transfer,    // transfer: part of gradient sync
  gradient_exchange,    // transfer: part of gradient sync in which every member sends to every other
  parameter_transfer,   // transfer: part of gathering parameters that are sharded over replicas (ZeRO)
  tensor_transfer,      // transfer: part of summing the slices of a stage
  expert_transfer,      // transfer: tokens to the replicas that hold their experts, and back
  context_transfer,     // transfer: keys and values among the parts of a sequence, and their gradients back
  barrier_message,      // transfer of zero bytes: pays latency, never bandwidth, waits for no stream
  barrier,              // computation of zero length: a rank's arrival at or departure from a barrier
};

/// No micro-batch: the tasklet belongs to the whole iteration.
constexpr MicroBatch no_micro_batch{std::numeric_limits<std::uint32_t>::max()};

/// A computation runs on `device`; a transfer goes from `device` to `target`.
struct Tasklet {
  TaskletKind kind = TaskletKind::forward;
  RankId rank;  // whose work it is; for a transfer the sender
  DeviceId device;
  DeviceId target;  // = device for computations
  MicroBatch micro_batch = no_micro_batch;
  Flops flops;      // of a computation, for accounting
  Seconds compute;  // how long a computation takes on its device
  Seconds
      handling;  // and how long the device is kept from computing by the messages it sends (network.message_cost) and
                 // by sums among slices that are part of it (network.tensor_sums)
  double share = 1;         // of a stage's step, where that is split: what this piece does of it
  bool completes = true;    // it is the step's last piece, whose result is sent on
  std::uint32_t chunk = 0;  // which of the stage's chunks computes
  std::uint32_t sums = 0;   // among slices, that are part of a computation
  Bytes bytes;              // of a transfer; of a computation: what its device sends meanwhile in collectives
  std::uint32_t messages =
      1;  // of a transfer: how many messages it stands for, each pays the latency; 0 = a moment without any
};

inline bool is_transfer(TaskletKind kind) {
  return kind == TaskletKind::activation_transfer || kind == TaskletKind::gradient_transfer ||
         kind == TaskletKind::gradient_exchange || kind == TaskletKind::parameter_transfer ||
         kind == TaskletKind::tensor_transfer || kind == TaskletKind::expert_transfer ||
         kind == TaskletKind::context_transfer || kind == TaskletKind::barrier_message;
}

/// The kind's name as written in timelines: "forward", "activation_transfer", …
const char* name_of(TaskletKind kind);

}  // namespace longhaul
