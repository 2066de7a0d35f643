#include "scheduler/placement.hpp"

#include <string>
#include <utility>

#include "sim/base/error.hpp"

namespace longhaul {

void check_one_rank_per_device(const Problem& problem) {
  const Degrees& degrees = problem.fixed.degrees;
  const std::size_t devices = problem.platform.size();
  if (degrees.ranks() > 0 && degrees.ranks() == devices) return;
  throw UserError(Location{},
                  "pipeline degree " + std::to_string(degrees.pipeline) + " x data degree " +
                      std::to_string(degrees.data) + " does not fit " + std::to_string(devices) + " devices",
                  "every device runs exactly one rank", "degrees whose product is " + std::to_string(devices));
}

void check_no_tensor_parallelism(const Problem& problem) {
  if (problem.fixed.degrees.tensor == 1) return;
  throw UserError(Location{}, "tensor degree " + std::to_string(problem.fixed.degrees.tensor) + " beside a search",
                  "DT-FM's cost model and its searches know pipelines and replicas only",
                  "tensor: 1, or one of the schedulers identity, random, megatron, rank_map");
}

Decision decide(const Problem& problem, std::vector<RankId> rank_of_device) {
  Decision decision;
  decision.plan = problem.fixed;
  decision.plan.rank_of_device = std::move(rank_of_device);
  return decision;
}

}  // namespace longhaul
