// A Plan: every decision about a job on a platform, as one plain value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/workload/path_compression.hpp"

namespace longhaul {

/// Degrees of parallelism, the same for all replicas and stages. Ranks are numbered pipeline by pipeline, those of a stage part
/// by part, tensor slices next to each other: rank = ((replica * pipeline + stage) * context + part) * tensor + slice. Without
/// tensor and context parallelism this is DT-FM's layout: rank r is stage r mod 8 of pipeline r div 8. Plans whose replicas differ are numbered in the same order (rank_layout.hpp).
struct Degrees {
  std::size_t pipeline = 1;  // stages
  std::size_t data = 1;      // replicas
  std::size_t tensor = 1;    // slices of each stage
  std::size_t context = 1;   // parts of every sequence, each with slices of its own

  std::size_t ranks() const { return pipeline * data * ranks_of_stage(); }
  std::size_t ranks_of_stage() const { return context * tensor; }
  /// How many ranks hold the same parameters.
  std::size_t copies() const { return data * context; }
  /// `member` of the stage's ranks: part * tensor + slice.
  RankId rank(Replica replica, Stage stage, std::size_t member = 0) const {
    return RankId((replica.value * pipeline + stage.value) * ranks_of_stage() + member);
  }
  // Degrees are at least 1, which the analyser cannot know. NOLINTNEXTLINE(clang-analyzer-core.DivideZero)
  Stage stage(RankId rank) const { return Stage(rank.value / ranks_of_stage() % pipeline); }
  Replica replica(RankId rank) const { return Replica(rank.value / ranks_of_stage() / pipeline); }

  /// Megatron-LM numbers slices first, then parts, replicas, stages (arXiv 2104.04473 section 3; mpu/initialize.py).
  RankId from_megatron(std::size_t number) const {
    const std::size_t stage = number / ranks_of_stage();
    return rank(Replica(stage % data), Stage(stage / data), number % ranks_of_stage());
  }

  friend bool operator==(const Degrees& a, const Degrees& b) {
    return a.pipeline == b.pipeline && a.data == b.data && a.tensor == b.tensor && a.context == b.context;
  }
};

/// The collective whose halves, reduce-scatter and all-gather, ZeRO runs.
constexpr const char* zero_collective = "ring_all_reduce";

/// One replica of a plan whose replicas differ.
struct PipelinePlan {
  std::vector<std::size_t> layers;   // per stage, each at least 1
  std::vector<std::size_t> tensor;   // per stage: into how many slices it is cut
  std::size_t micro_batch_size = 1;  // sequences
  std::size_t micro_batches = 1;     // per pass
  std::vector<std::size_t> warm_up;  // of 1f1b, forwards ahead per stage; empty = as many as stages follow
  std::string device_type;           // all of its devices are of this type; empty = of any

  std::size_t ranks() const;
};

bool operator==(const PipelinePlan& a, const PipelinePlan& b);

struct Plan {
  std::string workload = "training";  // name in the table of workload builders
  Degrees degrees;
  std::vector<std::size_t> layers_per_stage;  // one per stage, each at least 1
  std::size_t micro_batch_size = 1;           // sequences
  std::size_t micro_batches = 1;              // per replica and pass
  /// The replicas, where they differ; empty = all are as degrees, layers_per_stage, micro_batch_size and micro_batches say.
  /// Where it is not empty, degrees holds the number of replicas, the most stages and the most slices, the other three what the
  /// first replica has.
  std::vector<PipelinePlan> pipelines;
  std::size_t expert = 1;              // neighbouring replicas among which the experts of every layer are divided
  std::size_t passes = 1;              // per iteration, between two gradient syncs
  std::string schedule = "gpipe";      // name in the table of pipeline schedules
  std::vector<std::size_t> warm_up;    // of 1f1b, forwards ahead per stage; empty = as many as stages follow
  std::size_t virtual_stages = 1;      // chunks of layers per stage, which the schedule runs in turns
  bool phase_barrier = false;          // a global barrier before, between and after the phases of each pass
  bool synchronous_transfers = false;  // a transfer waits for its receiver, and its sender for it (Megatron-LM)
  bool sequence_parallel = false;      // norms and dropouts are split among slices too (arXiv 2205.05198)
  std::string gradient_sync = "ring_all_reduce";  // name in the table of collectives
  std::size_t zero = 0;  // ZeRO stage: 1 shards the optimizer over replicas, 2 also gradients, 3 also parameters
  std::vector<double> shards;                      // what ZeRO gives each replica, with sum 1; empty = all the same
  std::size_t sync_groups = 1;                     // parts of a stage's layers whose gradients are synchronised apart
  PathCompression activation_compression;          // of activation transfers, both directions
  PathCompression gradient_compression;            // of gradient sync
  std::optional<BytesPerSecond> compression_rate;  // of a device, uncompressed bytes; none = takes no time
  /// Order of the members along rings and chains of gradient sync: of each team (sync_team.hpp), stage x tensor + slice where
  /// replicas are alike, a permutation whose first is the root. Empty = by replica.
  std::vector<std::vector<Replica>> ring_orders;
  std::vector<RankId> rank_of_device;  // the placement: a permutation of the ranks

  std::size_t ranks() const;
  /// Whether all replicas are alike, in what ZeRO gives them too.
  bool has_equal_replicas() const { return pipelines.empty() && shards.empty(); }
  /// Whether every replica has as many stages of as many slices, so that ranks are numbered as by degrees.
  bool has_regular_ranks() const { return pipelines.empty() || ranks() == degrees.ranks(); }
  /// The replica as a pipeline of its own, whether replicas differ or not.
  PipelinePlan pipeline(Replica replica) const;
  /// How much of a stage's parameters each of its ranks holds (all its slices together), before ZeRO.
  double held_share(double parameters, double of_experts) const {
    return expert == 1 ? 1 : 1 - of_experts / parameters * (1 - 1 / static_cast<double>(expert));
  }
  /// What ZeRO gives a rank of a replica of what it shards.
  double shard_of(Replica replica) const {
    return shards.empty() ? 1 / static_cast<double>(degrees.copies()) : shards[replica.value];
  }
  /// The ZeRO stage where there are ranks of the same parameters to shard over.
  std::size_t sharding() const { return degrees.copies() > 1 ? zero : 0; }

  /// The inverse of rank_of_device.
  std::vector<DeviceId> device_of_rank() const;
};

/// A plan of these replicas: sets `pipelines`, or where all are alike and pinned to no type what they have in common, with
/// `degrees` and the rest that depends on them; the placement and ring orders are cleared.
void set_pipelines(Plan& plan, const std::vector<PipelinePlan>& pipelines);

bool operator==(const Plan& a, const Plan& b);
/// Whether they are equal apart from rank_of_device.
bool same_but_placement(const Plan& a, const Plan& b);

}  // namespace longhaul
