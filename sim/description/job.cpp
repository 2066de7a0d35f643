#include "sim/description/job.hpp"

#include "sim/base/error.hpp"

namespace longhaul {

double ComputeModel::efficiency_on(const std::string& device_type) const {
  if (efficiency_by_type.empty()) return efficiency;
  for (const auto& [type, share] : efficiency_by_type)
    if (type == device_type) return share;
  throw UserError(efficiency_where, "no efficiency for device type " + device_type, "the platform has devices of it",
                  "an entry for every device type of the platform");
}

double ComputeModel::peak_factor_on(const std::string& device_type) const {
  for (const auto& [type, factor] : peak_factor_by_type) {
    if (type != device_type) continue;
    if (factor == 0)
      throw UserError(precision_where, "no peak in this precision for device type " + device_type,
                      "the device lacks it, or its source does not say", "a precision of `longhaul list devices`");
    return factor;
  }
  return 1;
}

std::optional<BytesPerSecond> Job::offload_rate(const std::string& device_type) const {
  if (!host_links) return offload_bandwidth;
  const DeviceType* type = find_device_type(*host_links, device_type);
  if (type == nullptr || !type->host_bandwidth)
    throw UserError(offload_where, "nothing is known about the host link of device type " + device_type, "",
                    "a bandwidth, such as 12 GB/s");
  return type->host_bandwidth;
}

double ComputeModel::speed_factor_of(const std::string& device_type) const {
  for (const auto& [type, factor] : speed_factor_by_type)
    if (type == device_type) return factor;
  return speed_factor;
}

Flops recomputed_flops(const Job& job) {
  if (job.recompute == Recompute::full) return layer_forward_flops(job.model);
  return job.recompute == Recompute::selective ? attention_forward_flops(job.model) : Flops();
}

std::vector<StageLoad> stage_loads(const Job& job, const std::vector<std::size_t>& layers_per_stage) {
  return stage_loads(job, layers_per_stage, job.micro_batch);
}

std::vector<StageLoad> stage_loads(const Job& job, const std::vector<std::size_t>& layers_per_stage,
                                   std::size_t micro_batch) {
  constexpr double adam_operations = 16;
  const auto batch = static_cast<double>(micro_batch);
  const Flops layer = layer_forward_flops(job.model) * batch;
  const Flops recomputed = recomputed_flops(job) * batch;
  const auto width = static_cast<double>(job.model.sequence * job.model.hidden);

  std::vector<StageLoad> loads;
  for (std::size_t stage = 0; stage < layers_per_stage.size(); ++stage) {
    const auto layers = static_cast<double>(layers_per_stage[stage]);
    StageLoad load;
    load.forward = layer * layers;
    load.backward = (layer * 2 + recomputed) * layers;
    load.weight_gradient = layer_weight_gradient_flops(job.model) * batch * layers;
    load.parameters = parameters_per_layer(job.model) * layers;
    load.expert_parameters = expert_parameters_per_layer(job.model) * layers;
    if (stage == 0) load.parameters += embedding_parameters(job.model);
    if (stage + 1 == layers_per_stage.size()) {
      const Flops head = head_forward_flops(job.model) * batch;
      load.forward += head;
      load.backward += head * 2;
      load.weight_gradient += head;
      load.parameters += head_parameters(job.model);
    }
    load.weight_update = Flops(adam_operations * load.parameters);
    load.gradient = job.gradient_bytes.value_or(Bytes(load.parameters * job.value_bytes()));
    load.activation = job.activation_bytes.value_or(Bytes(batch * width * job.value_bytes()));
    loads.push_back(load);
  }
  return loads;
}

Flops iteration_flops(const Job& job, std::size_t samples) {
  const Flops layer = layer_forward_flops(job.model) * 3 + recomputed_flops(job);
  const Flops layers = layer * static_cast<double>(job.model.layers);
  return (layers + head_forward_flops(job.model) * 3) * static_cast<double>(samples);
}

std::vector<std::size_t> even_layers(std::size_t layers, std::size_t stages) {
  require(stages > 0 && layers >= stages, "every stage needs a layer");
  std::vector<std::size_t> result;
  for (std::size_t stage = 0; stage < stages; ++stage)
    result.push_back((stage + 1) * layers / stages - stage * layers / stages);
  return result;
}

}  // namespace longhaul
