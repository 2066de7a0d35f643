#include "sim/workload/context_exchange.hpp"

namespace longhaul {

Bytes key_value_bytes(const Job& job, const Plan& plan) {
  const Model& model = job.model;
  const double width =
      static_cast<double>(model.sequence * model.hidden) * static_cast<double>(plan.micro_batch_size);
  const double share = static_cast<double>(model.key_value_heads) / static_cast<double>(model.heads);
  return Bytes(2 * width * share * job.value_bytes() / static_cast<double>(plan.degrees.tensor));
}

std::size_t key_value_gathers(const Job& job, std::size_t layers, PipelineStep::Direction direction) {
  if (direction == PipelineStep::Direction::weight_gradient) return 0;
  const bool repeats = direction == PipelineStep::Direction::backward && job.recompute != Recompute::none;
  return layers * (repeats ? 2 : 1);
}

}  // namespace longhaul
