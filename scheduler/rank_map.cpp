// The placement of a file, as it is.
#include "scheduler/placement.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/base/error.hpp"

namespace longhaul {

Decision plan_rank_map(const Problem& problem) {
  check_one_rank_per_device(problem);
  if (problem.rank_map.empty())
    throw UserError({}, "the scheduler rank_map has no rank map", "",
                    "--rank-map FILE, or the key scheduler.rank_map");
  return decide(problem, problem.rank_map);
}

}  // namespace longhaul
