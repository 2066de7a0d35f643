#include "scheduler/plan_trials.hpp"

#include <algorithm>

#include "scheduler/placement.hpp"
#include "sim/base/error.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/stage_part.hpp"

namespace longhaul {
namespace {

double fullest(const std::vector<StageMemory>& stages) {
  double most = 0;
  for (const StageMemory& stage : stages) most = std::max(most, stage.total().value);
  return most;
}

}  // namespace

PlanTrials::PlanTrials(const Problem& problem) : problem_(problem), start_(std::chrono::steady_clock::now()) {
  whole_ = problem.make_evaluator();
  shorter_ = problem.make_evaluator();
  longer_ = problem.make_evaluator();
  allowance_ = fullest(stage_memory(*problem.job, problem.fixed));
}

std::optional<Seconds> PlanTrials::estimate(const Plan& plan) {
  if (!fits(plan)) return std::nullopt;
  // Past the pipeline's filling: twice what is in flight, and as many more as there are stages.
  const std::size_t in_flight = stage_memory(*problem_.job, plan).front().in_flight;
  std::size_t least = 2 * (in_flight / plan.virtual_stages + plan.degrees.pipeline);
  if (plan.virtual_stages > 1) least = (least / plan.degrees.pipeline + 1) * plan.degrees.pipeline;  // whole groups
  // Two short passes are cheaper than a long one only if that is longer than both.
  if (!plan.pipelines.empty() || plan.passes > 1 || plan.micro_batches <= 3 * least) return simulate(plan);
  ++spent_;
  try {
    const Seconds a = evaluate(*shorter_, plan, least);
    const Seconds b = evaluate(*longer_, plan, 2 * least);
    const auto more = static_cast<double>(plan.micro_batches - 2 * least) / static_cast<double>(least);
    return b + (b - a) * more;
  } catch (const UserError&) {
    return std::nullopt;
  }
}

std::optional<Seconds> PlanTrials::simulate(const Plan& plan) {
  if (!fits(plan)) return std::nullopt;
  ++spent_;
  try {
    return evaluate(*whole_, plan, plan.micro_batches);
  } catch (const UserError&) {
    return std::nullopt;  // such as a micro-batch for which nobody measured the layers
  }
}

Seconds PlanTrials::evaluate(PlanEvaluator& evaluator, Plan plan, std::size_t micro_batches) const {
  if (plan.pipelines.empty()) plan.micro_batches = micro_batches;
  return evaluator.evaluate(plan);
}

bool PlanTrials::exhausted(double share) const {
  if (static_cast<double>(spent_) >= share * static_cast<double>(problem_.search.simulations)) return true;
  if (!problem_.search.time_budget) return false;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  return elapsed.count() >= share * problem_.search.time_budget->value;
}

bool PlanTrials::fits(const Plan& plan) const {
  if (!can_run(plan) || on_their_types(plan, problem_.platform, plan.rank_of_device) != plan.rank_of_device)
    return false;
  for (const StageMemory& stage : stage_memory(*problem_.job, plan, problem_.platform))
    if (!stage.fits() && stage.total().value > allowance_) return false;
  return true;
}

}  // namespace longhaul
