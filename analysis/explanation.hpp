// Why an iteration takes what it takes: the critical path, what would help, what would limit next, and where another plan
// would be better.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/crossover.hpp"
#include "analysis/sensitivity.hpp"

namespace longhaul {

/// How much later a tasklet of one thing could happen before the iteration gets longer.
struct Slack {
  std::string name;
  Seconds least;  // of its tasklets
  Seconds mean;   // of its tasklets, each weighing what it is busy
  Seconds busy;   // computing, or bytes under way, summed
  std::size_t tasklets = 0;
};

/// What limits once the most valuable thing has been made twice as fast.
struct NextBottleneck {
  WhatIf fixed;
  Seconds iteration;
  Attribution path;
  std::vector<Sensitivity> sensitivities;  // the largest gain first; of the links and device types that promise most
};

struct Explanation {
  std::string scheduler;
  Seconds iteration;
  std::size_t steps = 0;   // tasklets on the critical path
  std::size_t queued = 0;  // of these, started by the release of a stream
  Attribution path;
  std::vector<Slack> device_slack;         // in the platform's order
  std::vector<Slack> stage_slack;          // in the pipeline's order
  std::vector<Slack> link_slack;           // by name
  bool changeable = true;                  // false = the following are empty: see Rerunner
  std::vector<Sensitivity> sensitivities;  // the largest gain first
  std::vector<std::string> skipped;        // not among them: twice as fast they would be faster than links can be
  std::optional<NextBottleneck> next;      // none where nothing gains
  std::optional<Crossovers> crossovers;    // none for a single plan
  std::vector<std::string> plans;          // of the crossovers
};

/// Runs the explained plan once, then every change side by side.
Explanation explain(const Rerunner& rerunner);

}  // namespace longhaul
