// What the ranks of a stage exchange where every sequence is cut among them (context parallelism, plan.context).
#pragma once

#include "sim/description/job.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/schedule.hpp"

namespace longhaul {

/// Each rank has the queries of its part of the sequence and gathers the keys and values of all parts, layer by layer; backward
/// gathers them again and scatters their gradients, summed, to the parts (Llama 3, arXiv 2407.21783 section 3.3.2).

/// The keys and values of a micro-batch in one layer, of one slice and all parts: 2 s b h (k/a) / t values, for s = sequence,
/// b = sequences of a micro-batch, h = hidden, k of a heads with keys and values of their own, t slices.
Bytes key_value_bytes(const Job& job, const Plan& plan);

/// How often they are gathered for so many layers: once forward, once backward and once more where backward computes attention
/// again (recomputation, selective or full). The gradients of weights need none.
std::size_t key_value_gathers(const Job& job, std::size_t layers, PipelineStep::Direction direction);

}  // namespace longhaul
