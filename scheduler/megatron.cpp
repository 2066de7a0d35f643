// Megatron-LM's default rank order: tensor slices, then data-parallel groups on consecutive devices, pipelines
// strided across them (megatron/mpu/initialize.py: pipeline group i = ranks i, i + N/S, i + 2N/S, ...).
#include "scheduler/placement.hpp"

namespace longhaul {

Decision plan_megatron(const Problem& problem) {
  check_one_rank_per_device(problem);
  check_replicas_alike(problem);
  const Degrees& degrees = problem.fixed.degrees;
  std::vector<RankId> ranks;
  for (std::size_t device = 0; device < problem.platform.size(); ++device)
    ranks.push_back(degrees.from_megatron(device));
  return decide(problem, ranks);
}

}  // namespace longhaul
