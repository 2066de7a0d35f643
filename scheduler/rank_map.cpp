// The placement that the scenario writes down.
#include <string>

#include "scheduler/placement.hpp"
#include "sim/base/error.hpp"

namespace longhaul {

Decision plan_rank_map(const Problem& problem) {
  check_one_rank_per_device(problem);
  const std::size_t devices = problem.platform.size();
  if (problem.rank_map.size() != devices)
    throw UserError(Location{}, "the rank map names " + std::to_string(problem.rank_map.size()) + " ranks",
                    "every device runs exactly one rank",
                    std::to_string(devices) + " ranks, one per device in order");
  std::vector<bool> taken(devices, false);
  for (const RankId rank : problem.rank_map) {
    if (rank.value >= devices)
      throw UserError(Location{}, "the rank map names rank " + std::to_string(rank.value),
                      "the job has " + std::to_string(devices) + " ranks, counted from 0",
                      "each of 0 to " + std::to_string(devices - 1) + " once");
    if (taken[rank.value])
      throw UserError(Location{}, "the rank map names rank " + std::to_string(rank.value) + " twice",
                      "every rank runs on exactly one device",
                      "each of 0 to " + std::to_string(devices - 1) + " once");
    taken[rank.value] = true;
  }
  return decide(problem, problem.rank_map);
}

}  // namespace longhaul
