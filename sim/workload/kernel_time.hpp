// How long the kernels of a stage take: matrix multiplications by their FLOP, all else by the bytes that it moves through the
// device's memory.
#pragma once

#include "sim/description/job.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// Of one rank of a stage, for one micro-batch; the update for one iteration.
struct KernelTimes {
  Seconds forward;
  Seconds backward;  // recomputation included
  Seconds weight_update;
  Seconds host_forward;   // in which the host launches the kernels of the forward
  Seconds host_backward;  // and of the backward
};

/// With s = sequence, b = sequences of a micro-batch, h = hidden, a = heads, f = feed-forward width, t = slices, v = bytes of a value, by
/// job.compute.kernels on a device of peak P (in the job's precision) and memory bandwidth M:
///
/// A multiplication of w FLOP that reads and writes B bytes takes max(w / (e P), B / (m M)) + w_half / (e P). A layer has four (gated: five)
/// with weights and two of attention, each on a slice's share; their backward takes twice that. The head is one more, of
/// h vocabulary / t weights.
///
/// Everything else takes its bytes / (m M). Forward, of s b h / (1 or, with sequence parallelism, t) values: two norms
/// (read, write: 2 v) and two sums of bias, dropout and residual (3 v and a mask of one byte); of s b h / t: the activation
/// function (2 v f / h, gated 3 v f / h) and queries, keys, values in another order (2 v each); of a s^2 b / t: softmax (2 v) and dropout (2 v + 1). Backward:
/// norms 3 v, dropouts 2 v + 1, activation function 3 v f / h (gated 5 v f / h), order 2 v, softmax 3 v, dropout 2 v + 1. Logits, s b vocabulary / t:
/// v + 8 forward, v + 4 backward, since their softmax is in fp32. Selective recomputation repeats the forward of attention's two
/// multiplications, softmax and dropout.
///
/// With context parallelism over c ranks all of it is on s / c tokens, whose queries meet all s keys: a s^2 b / (c t) scores.
///
/// The update moves 46 bytes per parameter: a gradient copied to fp32 (6), looked through for overflow and for its norm (8), read
/// again (4); weights, momentum, variance read and written (24); a copy of the weights (4, without reading them again).
///
/// ZeRO 3 copies gathered parameters out of a buffer (2 v each, forward and backward), 2 and 3 gradients into one, and scale them (4 v).
///
/// The host takes kernels.host for the forward of a layer, twice that for its backward, once more for what full
/// recomputation repeats, a third for selective; and host_per_sum (t - 1) for each sum among slices, which waits for the slowest of their
/// hosts. It runs ahead of the device, so that a step takes the longer of the two.
KernelTimes kernel_times(const Job& job, const Plan& plan, const StageLoad& load, Stage stage, const Device& device);

}  // namespace longhaul
