#include "scheduler/placement.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/balanced_plan.hpp"
#include "sim/base/error.hpp"
#include "sim/workload/rank_layout.hpp"
#include "sim/workload/ring_order.hpp"

namespace longhaul {

void check_one_rank_per_device(const Problem& problem) {
  const Degrees& degrees = problem.fixed.degrees;
  const std::size_t devices = problem.platform.size();
  const std::size_t ranks = problem.fixed.ranks();
  if (ranks > 0 && ranks == devices) return;
  throw UserError(Location{},
                  "pipeline degree " + std::to_string(degrees.pipeline) + " x data degree " +
                      std::to_string(degrees.data) + " does not fit " + std::to_string(devices) + " devices",
                  "every device runs exactly one rank", "degrees whose product is " + std::to_string(devices));
}

void check_no_tensor_parallelism(const Problem& problem) {
  const Degrees& degrees = problem.fixed.degrees;
  if (degrees.ranks_of_stage() == 1) return;
  const std::string what = degrees.tensor > 1 ? "tensor" : "context";
  throw UserError(Location{},
                  what + " degree " + std::to_string(std::max(degrees.tensor, degrees.context)) + " beside a search",
                  "DT-FM's cost model and its searches know pipelines and replicas only",
                  what + ": 1, or one of the schedulers identity, random, megatron, rank_map");
}

void check_replicas_alike(const Problem& problem) {
  if (problem.fixed.pipelines.empty()) return;
  throw UserError(Location{}, "plan.pipelines beside a scheduler that knows replicas that are alike only",
                  "DT-FM's cost model and Megatron-LM's rules see one pipeline degree",
                  "one of the schedulers identity, random, rank_map, longhaul");
}

std::vector<RankId> on_their_types(const Plan& plan, const PlatformView& platform,
                                   std::vector<RankId> rank_of_device) {
  if (plan.pipelines.empty()) return rank_of_device;
  const RankLayout layout(plan);
  const auto suits = [&](RankId rank, std::size_t device) {
    const std::string& type = plan.pipelines[layout.replica(rank).value].device_type;
    return type.empty() || type == platform.device(DeviceId(device)).type;
  };
  for (std::size_t device = 0; device < rank_of_device.size();) {
    if (suits(rank_of_device[device], device)) {
      ++device;
      continue;
    }
    // Each swap puts a rank where it belongs, perhaps for one that belongs elsewhere. The other device must suit this rank and lose nothing that suits it; best if its own rank suits this one.
    std::size_t partner = rank_of_device.size();
    for (std::size_t other = 0; other < rank_of_device.size(); ++other) {
      if (!suits(rank_of_device[device], other)) continue;
      const bool both = suits(rank_of_device[other], device);
      if (!both && suits(rank_of_device[other], other)) continue;
      if (partner == rank_of_device.size() || both) partner = other;
      if (both) break;
    }
    require(partner < rank_of_device.size(), "more ranks are pinned to a type than there are devices");
    std::swap(rank_of_device[device], rank_of_device[partner]);
  }
  return rank_of_device;
}

Plan finished(const Problem& problem, Plan plan) {
  plan = balanced(*problem.job, plan, problem.platform, problem.balance);
  if (problem.short_tours && plan.ring_orders.empty())
    plan.ring_orders = nearest_ring_orders(*problem.job, plan, problem.platform);
  return plan;
}

Decision decide(const Problem& problem, std::vector<RankId> rank_of_device) {
  Decision decision;
  decision.plan = problem.fixed;
  decision.plan.rank_of_device = on_their_types(problem.fixed, problem.platform, std::move(rank_of_device));
  return decision;
}

}  // namespace longhaul
