#include "sim/workload/plan.hpp"

#include <algorithm>
#include <numeric>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

bool alike(const PipelinePlan& pipeline, const PipelinePlan& first) {
  const bool one_degree = std::all_of(pipeline.tensor.begin(), pipeline.tensor.end(),
                                      [&](std::size_t slices) { return slices == pipeline.tensor.front(); });
  return pipeline == first && one_degree && pipeline.device_type.empty();
}

}  // namespace

std::size_t PipelinePlan::ranks() const { return std::accumulate(tensor.begin(), tensor.end(), std::size_t{0}); }

bool operator==(const PipelinePlan& a, const PipelinePlan& b) {
  return a.layers == b.layers && a.tensor == b.tensor && a.micro_batch_size == b.micro_batch_size &&
         a.micro_batches == b.micro_batches && a.warm_up == b.warm_up && a.device_type == b.device_type;
}

std::size_t Plan::ranks() const {
  if (pipelines.empty()) return degrees.ranks();
  std::size_t sum = 0;
  for (const PipelinePlan& pipeline : pipelines) sum += pipeline.ranks();
  return sum;
}

PipelinePlan Plan::pipeline(Replica replica) const {
  if (!pipelines.empty()) return pipelines[replica.value];
  return {layers_per_stage, std::vector<std::size_t>(degrees.pipeline, degrees.tensor),
          micro_batch_size, micro_batches,
          warm_up,          ""};
}

void set_pipelines(Plan& plan, const std::vector<PipelinePlan>& pipelines) {
  require(!pipelines.empty(), "a plan without replicas");
  const PipelinePlan& first = pipelines.front();
  const bool even = std::all_of(pipelines.begin(), pipelines.end(),
                                [&](const PipelinePlan& pipeline) { return alike(pipeline, first); });
  plan.pipelines = even ? std::vector<PipelinePlan>() : pipelines;
  plan.degrees = {0, pipelines.size(), 0};
  for (const PipelinePlan& pipeline : pipelines) {
    plan.degrees.pipeline = std::max(plan.degrees.pipeline, pipeline.layers.size());
    plan.degrees.tensor =
        std::max(plan.degrees.tensor, *std::max_element(pipeline.tensor.begin(), pipeline.tensor.end()));
  }
  plan.layers_per_stage = first.layers;
  plan.micro_batch_size = first.micro_batch_size;
  plan.micro_batches = first.micro_batches;
  plan.warm_up = first.warm_up;
  plan.rank_of_device.clear();
  plan.ring_orders.clear();
}

std::vector<DeviceId> Plan::device_of_rank() const {
  std::vector<DeviceId> devices(rank_of_device.size());
  for (std::size_t device = 0; device < rank_of_device.size(); ++device) {
    require(rank_of_device[device].value < devices.size(), "a placement names a rank that does not exist");
    devices[rank_of_device[device].value] = DeviceId(device);
  }
  return devices;
}

bool same_but_placement(const Plan& a, const Plan& b) {
  return a.workload == b.workload && a.degrees == b.degrees && a.layers_per_stage == b.layers_per_stage &&
         a.micro_batch_size == b.micro_batch_size && a.micro_batches == b.micro_batches &&
         a.pipelines == b.pipelines && a.expert == b.expert && a.passes == b.passes && a.schedule == b.schedule &&
         a.warm_up == b.warm_up && a.virtual_stages == b.virtual_stages && a.phase_barrier == b.phase_barrier &&
         a.synchronous_transfers == b.synchronous_transfers && a.gradient_sync == b.gradient_sync &&
         a.zero == b.zero && a.shards == b.shards && a.sync_groups == b.sync_groups &&
         a.ring_orders == b.ring_orders && a.activation_compression == b.activation_compression &&
         a.gradient_compression == b.gradient_compression && a.compression_rate == b.compression_rate &&
         a.sequence_parallel == b.sequence_parallel;
}

bool operator==(const Plan& a, const Plan& b) {
  return same_but_placement(a, b) && a.rank_of_device == b.rank_of_device;
}

}  // namespace longhaul
