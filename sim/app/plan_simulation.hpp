// Simulation as schedulers are handed it: they know no engine.
#pragma once

#include <functional>
#include <memory>

#include "sim/description/platform_loader.hpp"
#include "sim/description/scenario.hpp"
#include "sim/workload/plan_evaluator.hpp"

namespace longhaul {

/// Simulates an iteration of a plan, exactly: with the fast evaluator where that is exact, else with SimGrid.
std::function<Seconds(const Plan&)> exact_simulation(const Scenario& scenario, const Platform& platform);

/// Makes evaluators that take no link to be shared; where the network's equations are not raw, ones that simulate exactly.
std::function<std::unique_ptr<PlanEvaluator>()> evaluator_maker(const Scenario& scenario, const Platform& platform);

}  // namespace longhaul
