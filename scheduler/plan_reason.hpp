// Why one plan is faster than another, in words.
#pragma once

#include <string>

#include "scheduler/scheduler.hpp"

namespace longhaul {

/// Another scheduler's plan, simulated.
struct Rival {
  std::string name;
  Plan plan;
  Seconds seconds;
};

/// From the rival's plan to the chosen one in steps that are simulated each: its runtime, then its gradient sync, then its
/// degrees and placement; where devices or replicas differ, what each kind of device was given. A few sentences.
std::string reason_of(const Problem& problem, const Rival& rival, const Plan& chosen, Seconds seconds);

/// How much was tried. A sentence that follows.
std::string search_of(std::size_t estimated, std::size_t confirmed);

}  // namespace longhaul
