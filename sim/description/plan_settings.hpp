// What a scenario decides about the plan. Its keys are described in scenarios/README.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/description/config.hpp"

namespace longhaul {

/// Where the order of replicas along rings and chains comes from.
enum class RingOrder {
  plan,     // the plan: by replica unless a scheduler says otherwise
  nearest,  // a short tour, where the plan says nothing
};

/// How something is compressed on paths of each reach.
struct CompressionSetting {
  std::array<std::string, 3> texts{"none", "none", "none"};
  std::array<Location, 3> where;
};

/// What is shared out by the speed of devices once ranks are placed.
struct Balance {
  bool layers = false;         // among the stages of a replica
  bool micro_batches = false;  // among replicas
};

/// Replicas of a plan whose replicas differ.
struct PipelineSettings {
  std::vector<std::size_t> layers;           // per stage
  std::vector<std::size_t> tensor;           // per stage
  std::optional<std::size_t> micro_batch;    // sequences; none = job.micro_batch
  std::optional<std::size_t> micro_batches;  // none = job.micro_batches
  std::vector<std::size_t> warm_up;          // as of the plan
  std::string device_type;                   // of all its devices; empty = any
  std::size_t count = 1;                     // of such replicas
  Location where;
};

/// What is decided about the plan before any scheduler is asked. Names are checked where their tables are
/// (sim/workload/fixed_plan.hpp).
struct PlanSettings {
  std::string workload = "training";
  std::size_t pipeline = 1;
  std::size_t data = 1;
  std::size_t tensor = 1;
  std::size_t context = 1;
  Location context_where;
  std::optional<std::vector<std::size_t>> layers_per_stage;  // none = as even as possible
  std::vector<PipelineSettings> pipelines;  // instead of the degrees and layers above; empty = replicas are alike
  std::size_t expert = 1;                   // replicas that share a layer's experts
  Location expert_where;
  Balance balance;
  std::string schedule;
  Location schedule_where;
  std::vector<std::size_t> warm_up;  // empty = as the schedule says
  Location warm_up_where;
  std::size_t virtual_stages = 1;
  std::string gradient_sync;
  Location gradient_sync_where;
  std::size_t zero = 0;
  Location zero_where;
  std::vector<double> shards;  // of each replica (ZeRO), with sum 1; empty = all the same
  Location shards_where;
  std::size_t sync_groups = 1;
  RingOrder ring_order = RingOrder::plan;
  bool phase_barrier = false;
  bool synchronous_transfers = false;
  bool sequence_parallel = false;
  Location sequence_parallel_where;
  CompressionSetting activation_compression;
  CompressionSetting gradient_compression;
  std::optional<BytesPerSecond> compression_rate;
  bool check_memory = false;  // refuse what does not fit
  Location check_memory_where;
};

/// Reads the `plan` section.
PlanSettings read_plan_settings(const Config& config);

}  // namespace longhaul
