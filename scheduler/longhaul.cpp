// Longhaul's own scheduler: searches over all that a plan decides, and judges plans by simulating them.
//
// 1. Every other scheduler's plan is simulated as it is: the answer is never worse than the best of them.
// 2. Degrees x micro-batch x schedule (plan_space.hpp), placed along a short path through the regions, and as the other
//    schedulers place them, with a few ways to synchronise: the best of each combination.
// 3. The most promising climb (placement_climb.hpp) in rounds of ever fewer plans with ever more steps, like successive
//    halving (Jamieson and Talwalkar, arXiv 1502.07943); after each round every way to synchronise is tried again.
// 4. The finalists are simulated exactly, and the fastest is the answer.
#include <algorithm>
#include <map>

#include "scheduler/balanced_plan.hpp"
#include "scheduler/placement.hpp"
#include "scheduler/placement_climb.hpp"
#include "scheduler/plan_reason.hpp"
#include "scheduler/plan_space.hpp"
#include "scheduler/plan_text.hpp"
#include "scheduler/uneven_plans.hpp"
#include "sim/base/error.hpp"
#include "sim/base/parallel.hpp"
#include "sim/workload/ring_order.hpp"
#include "sim/workload/schedule.hpp"

namespace longhaul {
namespace {

constexpr const char* rivals[] = {"identity", "megatron", "megatron_heuristic", "random", "kernighan_lin", "dtfm"};
constexpr std::size_t finalists = 4;
constexpr std::size_t rounds = 4;
constexpr std::size_t first_round = 8;           // plans
constexpr std::size_t most_matched_groups = 16;  // for which DT-FM's search takes less than a second

bool faster(const TriedPlan& a, const TriedPlan& b) { return a.seconds < b.seconds; }

class LonghaulSearch {
 public:
  explicit LonghaulSearch(const Problem& problem) : problem_(problem), keep_(kept(problem)), trials_(problem) {}

  Decision run() {
    simulate_rivals();
    if (keep_.placement) {
      tune_only();
    } else {
      explore();
      if (problem_.platform.size() <= most_enumerated_devices) enumerate();
      if (problem_.platform.size() > most_enumerated_devices || may_balance()) climb_in_rounds();
    }
    return decide_exactly();
  }

 private:
  // The others' plans as they are, with the runtime that the scenario says.
  void simulate_rivals() {
    for (const char* name : rivals)
      if (const auto plan = placed_by(name, problem_.fixed)) try_rival(name, *plan);
    if (!problem_.rank_map.empty()) add_rival("rank_map", decide(problem_, problem_.rank_map).plan);
  }

  // One with other degrees may be too large to simulate, or lack a measured profile.
  void try_rival(const char* name, const Plan& plan) {
    try {
      add_rival(name, plan);
    } catch (const UserError&) {
      if (plan.degrees == problem_.fixed.degrees) throw;
    }
  }

  void add_rival(const char* name, const Plan& placed) {
    const Plan plan = finished(problem_, placed);
    rivals_.push_back({plan, problem_.confirm(plan)});
    names_.emplace_back(name);
  }

  // The shape with another scheduler's placement; nothing where that one cannot place it.
  std::optional<Plan> placed_by(const std::string& name, const Plan& shape) const {
    Problem problem = problem_;
    problem.fixed = shape;
    problem.fixed.ring_orders.clear();
    problem.progress = nullptr;
    try {
      return find_scheduler(name)->plan(problem).plan;
    } catch (const UserError&) {
      return std::nullopt;
    }
  }

  // The placement is DT-FM's; what is left is how to run it.
  void tune_only() {
    const auto dtfm = placed_by("dtfm", problem_.fixed);
    const auto placement = dtfm ? dtfm : placed_by("identity", problem_.fixed);
    for (Plan shape : plan_shapes(problem_, trials_)) {
      if (!(shape.degrees == problem_.fixed.degrees)) continue;
      shape.rank_of_device = placement->rank_of_device;
      consider(shape);
      for (const Plan& choice : sync_choices(problem_, shape)) consider(choice);
    }
  }

  void explore() {
    shapes_ = plan_shapes(problem_, trials_);
    for (const Plan& plan : uneven_plans(problem_, trials_)) try_with_few_syncs(plan);
    if (!problem_.fixed.pipelines.empty())
      for (const TriedPlan& rival : rivals_)
        if (!rival.plan.pipelines.empty()) try_with_few_syncs(rival.plan);
    std::vector<Degrees> degrees;
    for (const Plan& shape : shapes_)
      if (std::find(degrees.begin(), degrees.end(), shape.degrees) == degrees.end()) degrees.push_back(shape.degrees);
    for (std::size_t i = 0; i < degrees.size() && !trials_.exhausted(0.4); ++i) {
      for (const Plan& shape : likely_shapes(degrees[i]))
        for (const Plan& plan : starts_of(shape)) {
          try_with_few_syncs(plan);
          if (may_balance()) try_with_few_syncs(balanced(*problem_.job, plan, problem_.platform, balance()));
        }
      report(0.3 * static_cast<double>(i + 1) / static_cast<double>(degrees.size()));
    }
  }

  Balance balance() const { return {!keep_.degrees, !keep_.micro_batch}; }
  bool may_balance() const {
    const std::vector<Device>& devices = problem_.platform.devices();
    const auto differs = [&](const Device& device) { return device.type != devices.front().type; };
    return (balance().layers || balance().micro_batches) && std::any_of(devices.begin(), devices.end(), differs);
  }

  // Of the shapes with these degrees the two that do best along the path through the regions.
  std::vector<Plan> likely_shapes(const Degrees& degrees) {
    std::vector<TriedPlan> likely;
    for (const Plan& shape : shapes_) {
      if (!(shape.degrees == degrees) || trials_.exhausted()) continue;
      const Plan plan = placements_along_path(problem_, shape).front();
      if (const auto seconds = trials_.estimate(plan)) likely.push_back({shape, *seconds});
    }
    std::stable_sort(likely.begin(), likely.end(), faster);
    std::vector<Plan> best;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, likely.size()); ++i) best.push_back(likely[i].plan);
    return best;
  }

  // The shape along the path, as DT-FM places it, and as the others' plans do.
  std::vector<Plan> starts_of(const Plan& shape) {
    std::vector<Plan> placed = placements_along_path(problem_, shape);
    const auto add = [&](const Plan& other) {
      placed.push_back(shape);
      placed.back().rank_of_device = other.rank_of_device;
    };
    const std::size_t pipeline = shape.degrees.pipeline;
    if (pipeline <= most_matched_groups && by_dtfm_.count(pipeline) == 0)
      if (const auto plan = placed_by("dtfm", shape)) by_dtfm_.emplace(pipeline, *plan);
    if (by_dtfm_.count(pipeline) > 0) add(by_dtfm_.at(pipeline));
    if (shape.degrees == problem_.fixed.degrees)
      for (const TriedPlan& rival : rivals_) add(rival.plan);
    return placed;
  }

  void try_with_few_syncs(Plan plan) {
    consider(plan);
    if (keep_.sync || plan.degrees.copies() == 1) return;
    plan.ring_orders = nearest_ring_orders(*problem_.job, plan, problem_.platform);
    for (const char* name : {"ring_all_reduce", "hierarchical_ring"}) {
      plan.gradient_sync = name;
      consider(plan);
    }
  }

  void consider(const Plan& plan) {
    if (trials_.exhausted()) return;
    if (const auto seconds = trials_.estimate(plan)) tried_.push_back({plan, *seconds});
  }

  // The best, at most `per_degrees` with the same degrees, and one per placement.
  std::vector<TriedPlan> best_of_tried(std::size_t count, std::size_t per_degrees) {
    std::stable_sort(tried_.begin(), tried_.end(), faster);
    std::vector<TriedPlan> best;
    for (const TriedPlan& one : tried_) {
      std::size_t same_degrees = 0;
      bool same_placement = false;
      for (const TriedPlan& other : best) {
        if (!(other.plan.degrees == one.plan.degrees)) continue;
        ++same_degrees;
        same_placement = same_placement || other.plan.rank_of_device == one.plan.rank_of_device;
      }
      if (same_degrees < per_degrees && !same_placement) best.push_back(one);
      if (best.size() == count) break;
    }
    return best;
  }

  // The placement run in every other way: micro-batches and schedules, then gradient syncs.
  TriedPlan tuned(TriedPlan plan) {
    const Plan placed = plan.plan;
    if (!placed.pipelines.empty()) return tuned_uneven(plan);
    for (Plan choice : shapes_) {
      if (!(choice.degrees == placed.degrees)) continue;
      choice.rank_of_device = placed.rank_of_device;
      choice.layers_per_stage = placed.layers_per_stage;
      choice.gradient_sync = placed.gradient_sync;
      choice.sync_groups = placed.sync_groups;
      choice.ring_orders = placed.ring_orders;
      improve(plan, choice);
    }
    for (const Plan& choice : sync_choices(problem_, plan.plan)) improve(plan, choice);
    plan.seconds = trials_.simulate(plan.plan).value_or(plan.seconds);
    return plan;
  }

  TriedPlan tuned_uneven(TriedPlan plan) {
    const Plan placed = plan.plan;
    for (const PipelineSchedule& schedule : pipeline_schedules()) {
      Plan choice = placed;
      choice.schedule = schedule.name;
      if (!keep_.runtime) improve(plan, choice);
    }
    if (may_balance()) improve(plan, balanced(*problem_.job, plan.plan, problem_.platform, balance()));
    for (const Plan& choice : sync_choices(problem_, plan.plan)) improve(plan, choice);
    return plan;
  }

  void improve(TriedPlan& plan, const Plan& choice) {
    if (trials_.exhausted() || choice == plan.plan) return;
    const auto seconds = trials_.estimate(choice);
    if (seconds && *seconds < plan.seconds) plan = {choice, *seconds};
  }

  // Each round gives fewer climbers more steps; climbers climb side by side, in child processes.
  void climb_in_rounds() {
    std::vector<TriedPlan> climbers = best_of_tried(first_round, 2);
    const std::size_t left = problem_.search.simulations - std::min(trials_.spent(), problem_.search.simulations);
    for (std::size_t round = 0; round < rounds && !climbers.empty() && !trials_.exhausted(); ++round) {
      const std::size_t steps = std::max<std::size_t>(20, left / rounds / climbers.size());
      climb_side_by_side(climbers, steps, round);
      tried_.insert(tried_.end(), climbers.begin(), climbers.end());
      climbers = faster_half(std::move(climbers));
      report(0.3 + 0.7 * static_cast<double>(round + 1) / rounds);
    }
  }

  // At least two; of equal degrees one, as the best of each kind has time to become the best of all.
  static std::vector<TriedPlan> faster_half(std::vector<TriedPlan> climbers) {
    std::stable_sort(climbers.begin(), climbers.end(), faster);
    const std::size_t most = std::max<std::size_t>(2, climbers.size() / 2);
    std::vector<TriedPlan> half;
    for (const TriedPlan& climber : climbers) {
      const auto alike = [&](const TriedPlan& other) { return other.plan.degrees == climber.plan.degrees; };
      if (half.size() < most && std::none_of(half.begin(), half.end(), alike)) half.push_back(climber);
    }
    return half;
  }

  void climb_side_by_side(std::vector<TriedPlan>& climbers, std::size_t steps, std::size_t round) {
    const auto work = [&](std::size_t i) {
      const std::size_t before = trials_.spent();
      RandomStream random(problem_.seed, "longhaul round " + std::to_string(round) + " climber " + std::to_string(i));
      const TriedPlan start = round == 0 ? tuned(climbers[i]) : climbers[i];
      const TriedPlan end = tuned(climb(problem_, start, steps, trials_, random));
      return std::to_string(trials_.spent() - before) + " " + text_of(end);
    };
    const std::vector<std::string> answers = parallel_map(climbers.size(), processor_count(), work, nullptr);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const std::size_t space = answers[i].find(' ');
      trials_.add_spent(std::stoul(answers[i].substr(0, space)));
      climbers[i] = tried_of(problem_.fixed, answers[i].substr(space + 1));
    }
  }

  // On few devices: every placement of every shape with every way to synchronise it.
  void enumerate() {
    for (const Plan& shape : plan_shapes(problem_, trials_)) {
      const Plan placed = placements_along_path(problem_, shape).front();
      std::vector<Plan> choices = sync_choices(problem_, placed);
      choices.push_back(placed);
      for (const Plan& choice : choices) {
        const auto seconds = trials_.estimate(choice);
        if (seconds) tried_.push_back(best_of_all_placements(problem_, {choice, *seconds}, trials_));
      }
    }
  }

  Decision decide_exactly() {
    const auto best_rival = std::min_element(rivals_.begin(), rivals_.end(), faster);
    TriedPlan best = *best_rival;
    std::size_t confirmed = rivals_.size();
    for (const TriedPlan& one : best_of_tried(finalists, 2)) {
      const TriedPlan exact{one.plan, problem_.confirm(one.plan)};
      ++confirmed;
      if (exact.seconds < best.seconds) best = exact;
    }
    Decision decision;
    decision.plan = best.plan;
    if (!best.plan.pipelines.empty()) decision.plan = with_pipelines(best.plan, best.plan.pipelines);
    decision.evaluations = trials_.spent();
    const std::string& name = names_[static_cast<std::size_t>(best_rival - rivals_.begin())];
    decision.reason = reason_of(problem_, {name, best_rival->plan, best_rival->seconds}, best.plan, best.seconds) +
                      search_of(trials_.spent(), confirmed);
    return decision;
  }

  void report(double share) const {
    if (problem_.progress) problem_.progress(share);
  }

  const Problem& problem_;
  Keep keep_;
  PlanTrials trials_;
  std::vector<TriedPlan> rivals_;
  std::vector<std::string> names_;       // of the rivals
  std::vector<Plan> shapes_;             // not placed
  std::map<std::size_t, Plan> by_dtfm_;  // by pipeline degree: DT-FM sees neither schedules nor micro-batches
  std::vector<TriedPlan> tried_;
};

}  // namespace

Decision plan_longhaul(const Problem& problem) {
  check_one_rank_per_device(problem);
  require(problem.job != nullptr && problem.make_evaluator && problem.confirm, "a search by simulation without one");
  return LonghaulSearch(problem).run();
}

}  // namespace longhaul
