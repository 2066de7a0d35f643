// What a search asks of a plan: how long it takes. The engine implements it, so that schedulers need not know an engine.
#pragma once

#include "sim/base/units.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

class PlanEvaluator {
 public:
  PlanEvaluator() = default;
  PlanEvaluator(const PlanEvaluator&) = delete;
  PlanEvaluator& operator=(const PlanEvaluator&) = delete;
  virtual ~PlanEvaluator() = default;

  /// One iteration of a complete plan, simulated. Cheapest for a plan that differs from the last one in its placement only.
  virtual Seconds evaluate(const Plan& plan) = 0;
};

}  // namespace longhaul
