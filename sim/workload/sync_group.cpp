#include "sim/workload/sync_group.hpp"

#include <algorithm>

namespace longhaul {

std::vector<SyncGroup> sync_groups_of(const Job& job, const Plan& plan, Stage stage) {
  const std::size_t layers = plan.layers_per_stage[stage.value];
  const std::size_t count = plan.degrees.data == 1 ? 1 : std::min(plan.sync_groups, layers);
  const double layer_backward = layer_forward_flops(job.model).value * (job.recompute == Recompute::full ? 3 : 2);
  std::vector<SyncGroup> groups;
  double backward = 0;
  double parameters = 0;
  for (const std::size_t size : even_layers(layers, count)) {
    SyncGroup group;
    group.layers = size;
    group.backward_share = layer_backward * static_cast<double>(size);
    group.gradient_share = parameters_per_layer(job.model) * static_cast<double>(size);
    if (groups.empty() && stage.value == 0) group.gradient_share += embedding_parameters(job.model);
    if (groups.size() + 1 == count && stage.value + 1 == plan.degrees.pipeline) {
      group.backward_share += head_forward_flops(job.model).value * 2;
      group.gradient_share += head_parameters(job.model);
    }
    backward += group.backward_share;
    parameters += group.gradient_share;
    groups.push_back(group);
  }
  for (SyncGroup& group : groups) {
    group.backward_share /= backward;
    group.gradient_share /= parameters;
  }
  std::reverse(groups.begin(), groups.end());
  return groups;
}

}  // namespace longhaul
