#include "scheduler/cost_model.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {

namespace {

// Delay and bandwidth of an edge, averaged over its two directions.
Path both_ways(const PlatformView& platform, std::size_t a, std::size_t b) {
  const Path& there = platform.path(DeviceId(a), DeviceId(b));
  const Path& back = platform.path(DeviceId(b), DeviceId(a));
  require(there.bandwidth.value > 0 && back.bandwidth.value > 0, "a path without bandwidth has no cost");
  return {(there.latency + back.latency) / 2, (there.bandwidth + back.bandwidth) / 2};
}

double edge_cost(const Path& path, Bytes bytes) { return (2 * (path.latency + bytes / path.bandwidth)).value; }

}  // namespace

CostMatrices::CostMatrices(const PlatformView& platform, const CostSizes& sizes, std::size_t data_degree)
    : size(platform.size()), data_parallel(size * size), pipeline(size * size) {
  require(data_degree > 0, "the cost model needs a data-parallel degree of at least 1");
  const Bytes shard = sizes.gradient / static_cast<double>(data_degree);
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = a + 1; b < size; ++b) {
      const Path path = both_ways(platform, a, b);
      data_parallel[a * size + b] = data_parallel[b * size + a] = edge_cost(path, shard);
      pipeline[a * size + b] = pipeline[b * size + a] = edge_cost(path, sizes.activation);
    }
  }
}

Cost cost_of_placement(const PlatformView& platform, const Plan& plan, const CostSizes& sizes) {
  const Degrees& degrees = plan.degrees;
  require(plan.rank_of_device.size() == platform.size() && degrees.ranks() == platform.size(),
          "a placement needs one rank per device");
  const auto slices = static_cast<double>(degrees.tensor);
  const Bytes gradient = sizes.gradient / slices / static_cast<double>(degrees.copies());
  const Bytes activation = sizes.activation / static_cast<double>(degrees.ranks_of_stage());
  const std::vector<DeviceId> device_of_rank = plan.device_of_rank();
  const auto device_at = [&](std::size_t replica, std::size_t stage, std::size_t member) {
    return std::size_t{device_of_rank[degrees.rank(Replica(replica), Stage(stage), member).value].value};
  };

  double data_parallel = 0;
  for (std::size_t shard = 0; shard < degrees.pipeline * degrees.tensor; ++shard) {
    std::vector<std::size_t> group(degrees.copies());
    for (std::size_t copy = 0; copy < group.size(); ++copy)
      group[copy] = device_at(copy / degrees.context, shard / degrees.tensor,
                              copy % degrees.context * degrees.tensor + shard % degrees.tensor);
    std::sort(group.begin(), group.end());  // the sums must not depend on who is which replica, to the last bit
    for (const std::size_t device : group) {
      double load = 0;
      for (const std::size_t peer : group)
        if (peer != device) load += edge_cost(both_ways(platform, device, peer), gradient);
      data_parallel = std::max(data_parallel, load);
    }
  }

  double pipeline = 0;
  for (std::size_t stage = 0; stage + 1 < degrees.pipeline; ++stage) {
    double slowest = 0;
    for (std::size_t lane = 0; lane < degrees.data * degrees.ranks_of_stage(); ++lane) {
      const std::size_t replica = lane / degrees.ranks_of_stage();
      const std::size_t member = lane % degrees.ranks_of_stage();
      const Path hop = both_ways(platform, device_at(replica, stage, member), device_at(replica, stage + 1, member));
      slowest = std::max(slowest, edge_cost(hop, activation));
    }
    pipeline += slowest;
  }
  return {Seconds(data_parallel), Seconds(pipeline)};
}

}  // namespace longhaul
