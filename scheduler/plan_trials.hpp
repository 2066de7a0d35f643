// Plans tried by simulating them: what a search asks, how often, and until when.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "scheduler/scheduler.hpp"

namespace longhaul {

class PlanTrials {
 public:
  /// The problem must say how to simulate. Keeps a reference.
  explicit PlanTrials(const Problem& problem);

  /// Simulated seconds of a plan, as if no link were shared; nothing if it does not fit the devices' memory or cannot be run.
  std::optional<Seconds> simulate(const Plan& plan);
  /// The same, but a long pass is cut short: two lengths are simulated, and the rest is taken to go on at the rate between them.
  std::optional<Seconds> estimate(const Plan& plan);

  /// Simulations and estimates so far, and whether the budget of them, or of time, is spent. A share of 0.5 asks whether half of it is.
  std::size_t spent() const { return spent_; }
  /// What a child process spent.
  void add_spent(std::size_t more) { spent_ += more; }
  bool exhausted(double share = 1) const;

  /// Whether every stage fits its devices. A device whose memory is not known holds anything, and what the scenario's own plan
  /// needs is taken to be there.
  bool fits(const Plan& plan) const;

 private:
  Seconds evaluate(PlanEvaluator& evaluator, Plan plan, std::size_t micro_batches) const;

  const Problem& problem_;
  std::unique_ptr<PlanEvaluator> whole_, shorter_, longer_;  // one per length, as a new placement keeps a graph
  double allowance_;                                         // bytes on any stage that always fit
  std::size_t spent_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace longhaul
