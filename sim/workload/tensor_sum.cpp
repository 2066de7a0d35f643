#include "sim/workload/tensor_sum.hpp"

namespace longhaul {

std::size_t tensor_sums(const Job& job, std::size_t layers, PipelineStep::Direction direction) {
  if (direction == PipelineStep::Direction::weight_gradient || job.compute.profile) return 0;
  const bool repeats = direction == PipelineStep::Direction::backward && job.recompute == Recompute::full;
  return layers * (repeats ? 4 : 2);
}

std::optional<Seconds> measured_sum(const NetworkModel& network, const RankLayout& layout,
                                    const PlatformView& platform, const std::vector<DeviceId>& devices, RankId rank,
                                    Bytes activation) {
  if (!network.tensor_sums) return std::nullopt;
  const std::size_t slices = layout.slices(layout.replica(rank), layout.stage(rank));
  if (slices == 1) return std::nullopt;
  const std::size_t first = rank.value - layout.slice(rank);
  for (std::size_t slice = 1; slice < slices; ++slice)
    if (!platform.same_machine(devices[first], devices[first + slice])) return std::nullopt;
  return network.tensor_sums->time(slices, activation);
}

}  // namespace longhaul
