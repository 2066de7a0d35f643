#include "sim/app/plan_simulation.hpp"

#include "sim/engine/fast_plan_evaluator.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/workload_builder.hpp"

namespace longhaul {
namespace {

class ExactPlanEvaluator : public PlanEvaluator {
 public:
  explicit ExactPlanEvaluator(std::function<Seconds(const Plan&)> simulation) : simulation_(std::move(simulation)) {}
  Seconds evaluate(const Plan& plan) override { return simulation_(plan); }

 private:
  std::function<Seconds(const Plan&)> simulation_;
};

}  // namespace

std::function<Seconds(const Plan&)> exact_simulation(const Scenario& scenario, const Platform& platform) {
  return [&scenario, &platform](const Plan& plan) {
    check_size(plan, scenario);
    const TaskletGraph graph =
        find_workload_builder(plan.workload)->build(scenario.job, plan, platform.view, scenario.network);
    return simulate(platform, graph, scenario.network, Engine::automatic).timeline.end;
  };
}

std::function<std::unique_ptr<PlanEvaluator>()> evaluator_maker(const Scenario& scenario, const Platform& platform) {
  return [&scenario, &platform]() -> std::unique_ptr<PlanEvaluator> {
    if (scenario.network.equations == NetworkEquations::raw)
      return std::make_unique<FastPlanEvaluator>(scenario.job, platform.view, scenario.network);
    return std::make_unique<ExactPlanEvaluator>(exact_simulation(scenario, platform));
  };
}

}  // namespace longhaul
