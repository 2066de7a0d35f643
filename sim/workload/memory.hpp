// What a plan keeps in the memory of its devices: an estimate from counts, by stage.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// Of one rank of a stage, at its fullest. With s = sequence, b = sequences of a micro-batch, h = hidden, a = heads, t = tensor
/// degree, v = bytes of a value (2, or 4 with fp32); all ranks of a stage hold the same. Context parallelism over c ranks divides
/// activations, messages, working set and logits by c.
struct StageMemory {
  Stage stage;
  std::optional<Replica> replica;  // none = of all, which are alike

  /// Micro-batches between their forward and their backward (the gradients of the weights, where backward is split), most at
  /// once; of a stage of several chunks each counts once for every chunk that it is in flight on. 1F1B: min(m, p - stage);
  /// ZB-H1: min(m, p); interleaved on v chunks: min(m v, 2 (p - stage) - 1 + (v - 1) p), of 1 / v of the stage's layers each.
  std::size_t in_flight = 0;

  /// v bytes per parameter; v; and 12 (fp32 copy, momentum, variance), or 8 with fp32: 16 in all (ZeRO, arXiv 1910.02054
  /// section 3.1). The optimizer's are not on the device where it is offloaded. ZeRO over d replicas (times c) divides by d the optimizer's
  /// (stage 1), the gradients (2) and the parameters (3, section 5); at stage 3 come the parameters of the two largest sync
  /// groups in full, while they are used, or job.live_parameters where that is less. With plan.shards a replica keeps its
  /// own share instead of 1 / d. Buckets in which gradients wait for their reduce-scatter are not counted.
  Bytes parameters;
  Bytes gradients;
  Bytes optimizer;

  /// Of the layers, for each micro-batch in flight. With full recomputation job.kept_per_layer tensors of s b h values per
  /// layer. Without, all that backward needs: at 16 bits and f = 4 h, s b h (10 + 24 / t + 5 a s / (h t)) per layer
  /// (Korthikanti et al., arXiv 2205.05198 section 4.2); with selective recomputation without the last term. Sequence
  /// parallelism divides all of it by t: s b h 34 / t with both (section 5). the terms behind it scale with precision, feed-forward width,
  /// gating and key-value heads. Where the gradients of the weights are computed
  /// apart, all of it is kept until then, recomputed or not: an upper bound, since they need less. Attention scores are taken to be stored (no fused attention).
  /// Where the job's profile has measured activations of the model at this tensor degree and nothing is recomputed, those count,
  /// with the embeddings' on the first stage. Where activations are offloaded, two layers' are on the device: one computes, one moves.
  Bytes activations;

  /// Activation messages. A schedule with phases keeps, for every micro-batch in flight, the output that it sent and room for
  /// that output's gradient; others keep two messages each way for every neighbour. With context parallelism also the gathered
  /// keys and values of the layer that computes, and their gradients (context_exchange.hpp).
  Bytes messages;

  /// One layer's activations without recomputation, or with selective recomputation those of its scores, while they are recomputed.
  Bytes working_set;

  /// fp32 logits of one micro-batch on the last stage of a language model: 4 s b vocabulary / t; measured: all of the head.
  Bytes logits;

  /// What the allocator cannot use: 5 % of all the above. The context of driver and libraries is left to the 7 % by which a
  /// device holds more (GiB) than its data sheet prints (GB).
  Bytes fragmentation;

  Bytes runtime;  // of driver and libraries, as the job says

  Bytes device;  // the smallest memory among the devices that run the stage; 0 = unknown

  /// "3", or "1 of replica 2".
  std::string name() const;
  Bytes total() const;
  bool fits() const { return device == Bytes() || total() <= device; }
};

/// Activations of one micro-batch on one rank of a stage.
struct StageActivations {
  Bytes kept;       // of all its layers, from forward to backward
  Bytes whole;      // of all its layers, without recomputation
  Bytes embedding;  // measured ones of the first stage
};
StageActivations stage_activations(const Job& job, const Plan& plan, Stage stage);

/// One per stage, or per stage of every replica where these differ, be it in plan.shards only; without devices.
std::vector<StageMemory> stage_memory(const Job& job, const Plan& plan);

/// The same of a placed plan.
std::vector<StageMemory> stage_memory(const Job& job, const Plan& plan, const PlatformView& platform);

/// Of the stage that needs most.
Bytes peak_memory(const std::vector<StageMemory>& stages);

/// The stage that fills its device most; where no device's memory is known, the one that holds most. The first of equals.
std::size_t fullest_stage(const std::vector<StageMemory>& stages);

}  // namespace longhaul
