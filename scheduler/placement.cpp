#include "scheduler/placement.hpp"

#include <string>
#include <utility>

#include "sim/base/error.hpp"

namespace longhaul {

void check_one_rank_per_device(const Problem& problem) {
  const Degrees& degrees = problem.fixed.degrees;
  const std::size_t devices = problem.platform.size();
  if (degrees.pipeline > 0 && degrees.data > 0 && degrees.ranks() == devices) return;
  throw UserError(Location{},
                  "pipeline degree " + std::to_string(degrees.pipeline) + " x data degree " +
                      std::to_string(degrees.data) + " does not fit " + std::to_string(devices) + " devices",
                  "every device runs exactly one rank", "degrees whose product is " + std::to_string(devices));
}

Decision decide(const Problem& problem, std::vector<RankId> rank_of_device) {
  Decision decision;
  decision.plan = problem.fixed;
  decision.plan.rank_of_device = std::move(rank_of_device);
  return decision;
}

}  // namespace longhaul
