// Every placement equally likely.
#include "sim/base/random.hpp"

#include "scheduler/placement.hpp"

namespace longhaul {

Decision plan_random(const Problem& problem) {
  check_one_rank_per_device(problem);
  std::vector<RankId> ranks;
  for (std::size_t device = 0; device < problem.platform.size(); ++device) ranks.emplace_back(device);
  RandomStream(problem.seed, "random placement").shuffle(ranks);
  return decide(problem, ranks);
}

}  // namespace longhaul
