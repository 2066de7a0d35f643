// Evaluates plans of one job on one platform with the fast evaluator.
#pragma once

#include <optional>
#include <vector>

#include "sim/description/job.hpp"
#include "sim/engine/fast_evaluator.hpp"
#include "sim/workload/plan_evaluator.hpp"
#include "sim/workload/rank_times.hpp"

namespace longhaul {

/// As if no link were shared; who comes first at the same moment is chance. Confirm what matters with simulate().
///
/// A plan of another shape builds its graph. A new placement of the same plan keeps it and looks again only at what the
/// ranks that moved, and their neighbours along the pipeline, do; then all times follow anew in one pass.
class FastPlanEvaluator : public PlanEvaluator {
 public:
  /// Keeps references to all three. UserError unless the network's equations are raw.
  FastPlanEvaluator(const Job& job, const PlatformView& platform, const NetworkModel& network);

  Seconds evaluate(const Plan& plan) override;

 private:
  void build(const Plan& plan);
  void place(const Plan& plan);

  const Job& job_;
  const PlatformView& platform_;
  const NetworkModel& network_;
  std::optional<Plan> plan_;  // as last evaluated
  TaskletGraph graph_;        // of the plan that was last built
  std::optional<RankTimes> times_;
  std::vector<RankId> target_rank_;         // of each tasklet
  std::vector<std::size_t> first_concern_;  // per rank, its range in concerns_
  std::vector<TaskletId> concerns_;         // the tasklets whose time depends on where the rank is
  FastEvaluator evaluator_;
};

}  // namespace longhaul
