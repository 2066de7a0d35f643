// A Job: what is trained. Model shape, batch, precision, recomputation, and how long computing takes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/description/config.hpp"
#include "sim/description/layer_profile.hpp"
#include "sim/description/model.hpp"

namespace longhaul {

enum class Recompute {
  none,
  full,       // only a layer's input is kept; backward runs the layer's forward again
  selective,  // scores, softmax, dropout and weighted sum of attention run again (Korthikanti et al., arXiv 2205.05198)
};

/// What decides how long the kernels of a layer take; the rules stand in sim/workload/kernel_time.hpp.
struct KernelModel {
  double multiply_efficiency = 1;  // share of the device's peak that a large matrix multiplication reaches, in (0, 1]
  Flops half_work;                 // of one multiplication, at which half of that is reached
  double memory_efficiency = 1;    // share of the bandwidth of the device's memory that kernels reach, in (0, 1]
  Seconds host;                    // in which the host launches the forward of a layer
  Seconds host_per_sum;            // what a sum among slices adds to that, for every slice but one
  std::vector<std::pair<std::string, BytesPerSecond>> memory_bandwidth;  // by device type, from platforms/
  Location where;

  /// UserError where nothing is known about the type.
  BytesPerSecond memory_bandwidth_of(const std::string& device_type) const;
};

/// Reads `job.compute.kernels`. Its keys are described in scenarios/README.md.
KernelModel read_kernel_model(const Config& config);

/// How long computing takes; the rules stand in sim/workload/compute_time.hpp.
struct ComputeModel {
  double efficiency = 1;  // achieved share of the device's peak, in (0, 1]
  std::vector<std::pair<std::string, double>>
      efficiency_by_type;  // the same by device type; if any, all must be there
  Location efficiency_where;
  std::vector<std::pair<std::string, double>>
      peak_factor_by_type;  // peak in the job's precision / the device's; 0 = none
  Location precision_where;
  std::optional<KernelModel> kernels;   // instead of an efficiency: kernel by kernel
  Flops half_work;                      // work per layer and micro-batch at which half the efficiency is reached
  std::optional<LayerProfile> profile;  // measured times of the model's layers
  Seconds overhead;                     // of the host, per stage, micro-batch and direction
  double speed_factor = 1;              // of every device: what if its computing took 1 / factor of the time?
  std::vector<std::pair<std::string, double>> speed_factor_by_type;  // the same by device type; 1 for the others
  Location speed_factor_where;
  std::optional<Seconds> forward;        // measured, of one stage and micro-batch
  std::optional<Seconds> backward;       // measured, of one stage and micro-batch, recomputation included
  std::optional<Seconds> weight_update;  // measured, of one stage and iteration
  std::optional<BytesPerSecond>
      weight_update_rate;  // gradient bytes that the optimizer works off per second, where it is
                           // not the GPU that does (offloaded to the CPU)

  /// UserError where no efficiency is given for the type.
  double efficiency_on(const std::string& device_type) const;
  /// The peak in the job's precision in shares of the device's; 1 for types that nobody knows. UserError where the device type
  /// has none.
  double peak_factor_on(const std::string& device_type) const;
  double speed_factor_of(const std::string& device_type) const;
};

struct Job {
  Model model;                     // with the number of layers that is trained
  std::string precision = "fp16";  // of parameters, gradients and activations: fp16, bf16 or fp32
  Recompute recompute = Recompute::full;
  std::size_t kept_per_layer = 1;   // activation tensors that full recomputation keeps of a layer; 1 = its input
  bool optimizer_offload = false;   // optimizer states are not in the device's memory
  bool activation_offload = false;  // activations that backward needs wait in the host's memory
  std::optional<BytesPerSecond>
      offload_bandwidth;  // of a device to its host, one way; none = moving takes no time, unless:
  std::optional<std::vector<DeviceType>> host_links;  // whose host_bandwidth it is, by device type
  Location offload_where;
  std::optional<double> live_parameters;  // most parameters that ZeRO-3 has whole on a device; none = two sync groups
  Bytes runtime_memory;                   // that driver and libraries take on every device
  std::size_t micro_batch = 1;            // sequences
  std::size_t micro_batches = 1;          // per replica and pass
  std::optional<std::size_t> global_batch;  // sequences per iteration that are asked for; none = one pass
  std::size_t iterations = 1;               // one after another, without a barrier between them
  std::optional<Bytes> activation_bytes;    // of one micro-batch on one hop, instead of the model's
  std::optional<Bytes> gradient_bytes;      // of one stage, instead of the model's
  ComputeModel compute;

  double value_bytes() const { return precision == "fp32" ? 4 : 2; }
  /// Bytes per second to and from the host, if moving takes time. UserError where the device type's is asked for and not known.
  std::optional<BytesPerSecond> offload_rate(const std::string& device_type) const;
};

/// What one stage computes and sends.
struct StageLoad {
  Flops forward;          // per micro-batch
  Flops backward;         // per micro-batch, recomputation included
  Flops weight_gradient;  // of these, the gradients of the weights
  Flops
      weight_update;  // per iteration: 16 per parameter, the operations of Adam (arXiv 1412.6980 algorithm 1) counted
  double parameters = 0;
  double expert_parameters = 0;  // of these, those of experts
  Bytes gradient;                // parameters x value_bytes
  Bytes activation;  // one micro-batch between two stages: b s h x value_bytes (arXiv 2104.04473 section 3.2)
};

/// One load per stage; the first also holds the embeddings, the last the head. Their sum is the whole model.
std::vector<StageLoad> stage_loads(const Job& job, const std::vector<std::size_t>& layers_per_stage,
                                   std::size_t micro_batch);
/// The same with the job's micro-batch.
std::vector<StageLoad> stage_loads(const Job& job, const std::vector<std::size_t>& layers_per_stage);

/// FLOP of a layer's forward that its backward runs again, for one sequence.
Flops recomputed_flops(const Job& job);

/// FLOP of an iteration over `samples` sequences, as DT-FM and Megatron count them, recomputation included:
/// 96 B s l h^2 (1 + s / (6 h)) for f = 4 h with full recomputation (72 without), plus the head's.
Flops iteration_flops(const Job& job, std::size_t samples);

/// Layers split as evenly as whole layers allow: stage i gets floor((i+1) L / S) - floor(i L / S).
std::vector<std::size_t> even_layers(std::size_t layers, std::size_t stages);

}  // namespace longhaul
