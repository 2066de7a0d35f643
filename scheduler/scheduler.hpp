// A scheduler makes a Plan. It sees the pairwise view of the platform and what is already decided, never SimGrid.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/cost_model.hpp"
#include "sim/description/job.hpp"
#include "sim/description/plan_settings.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/description/search_options.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/plan_evaluator.hpp"

namespace longhaul {

/// What a scheduler is asked.
struct Problem {
  const PlatformView& platform;
  Plan fixed;       // complete but for rank_of_device
  CostSizes sizes;  // what the DT-FM cost model counts
  SearchOptions search;
  std::uint64_t seed = 1;
  std::vector<RankId> rank_map;          // for `rank_map` only: rank of each device, a permutation
  std::function<void(double)> progress;  // called about 100 times with the fraction done, in [0, 1]; may be empty

  const Job* job = nullptr;  // for schedulers that need it (Needs)
  // What is done to a plan once its ranks are placed (placement.hpp, finished).
  Balance balance = {};  // what is shared out by the speed of devices
  bool short_tours =
      false;  // rings of a plan that says nothing about their order run along short tours (plan.ring_order)
  // For schedulers that simulate.
  std::function<std::unique_ptr<PlanEvaluator>()> make_evaluator = nullptr;  // fast, as if no link were shared
  std::function<Seconds(const Plan&)> confirm = nullptr;                     // exact
};

/// What it answers.
struct Decision {
  Plan plan;
  std::size_t evaluations = 0;      // cost evaluations spent, 0 where nothing was searched
  std::size_t best_evaluation = 0;  // at which of them (from 1) the answer was found
  std::string stage_order;          // how a search over groups of devices ordered them into stages, in words
  std::string reason;               // why this plan, in a paragraph; empty where there is nothing to say
};

/// A scheduler is a function with a name. Adding one: one .cpp file that defines `Decision plan_NAME(const
/// Problem&)`, one line in scheduler/table.cpp, one line in CMakeLists.txt. Every one throws UserError, without a
/// location, for what the user can get wrong: a job without exactly one rank per device, a bad rank map, settings out
/// of range.
enum class Needs {
  placement,   // what every problem has
  job,         // also Problem::job: it may decide more than the placement
  simulation,  // also the rest
};

struct Scheduler {
  const char* name;
  const char* summary;  // one line for `longhaul list schedulers`
  Decision (*plan)(const Problem&);
  Needs needs = Needs::placement;
};

/// All schedulers, in the order of the list.
const std::vector<Scheduler>& schedulers();

/// The scheduler with that name, or null.
const Scheduler* find_scheduler(const std::string& name);

}  // namespace longhaul
