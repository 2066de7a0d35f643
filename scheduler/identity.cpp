// Device i runs rank i: pipelines on consecutive devices.
#include "scheduler/placement.hpp"

namespace longhaul {

Decision plan_identity(const Problem& problem) {
  check_one_rank_per_device(problem);
  std::vector<RankId> ranks;
  for (std::size_t device = 0; device < problem.platform.size(); ++device) ranks.emplace_back(device);
  return decide(problem, ranks);
}

}  // namespace longhaul
