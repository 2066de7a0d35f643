// What would help: how much shorter an iteration gets when one thing is made faster and the plan stays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/critical_steps.hpp"
#include "analysis/rerun.hpp"

namespace longhaul {

enum class TargetKind {
  link,         // between two regions, inside a region, or inside machines
  region,       // all links out of a region, or into it
  link_class,   // between_regions, inside_regions, nics
  device_type,  // computing on devices of a type
};

const char* name_of(TargetKind kind);

/// Something that can be made faster.
struct Target {
  TargetKind kind = TargetKind::link;
  std::string name;  // a selector of links, or a device type

  WhatIf faster(double factor) const;
};

/// What a run is sent through once more to predict it with changes: the first of these that gives back its own end (the
/// network within 1 %, others within 1e-7).
enum class Follows {
  network,    // the queues of the streams and contested links: raw equations only
  durations,  // the queues of the streams; what shares a link is taken to share it as before
  orders,     // the realised graph: streams keep their orders as well
};

/// A simulated run with what can be read off it.
struct ExplainedRun {
  Rerun run;
  RealisedGraph realised;
  std::vector<Duration> durations;
  Propagation propagation;
  std::vector<CriticalStep> steps;
  Follows follows = Follows::network;
  Seconds followed_end;  // the end that this gives without changes: what predictions are compared with

  ExplainedRun(Rerun simulated, const NetworkModel& network);
  ExplainedRun(const ExplainedRun&) = delete;  // the propagation points into the realised graph
  ExplainedRun& operator=(const ExplainedRun&) = delete;
};

/// Everything that bytes pass or that computes in a run: each link with its bytes, then regions, classes and device types.
struct Load {
  Target target;
  Bytes bytes;      // that pass it; zero for device types
  Seconds on_path;  // of the critical path: bytes on the wire, or computing
};
std::vector<Load> loads_of(const ExplainedRun& base);

/// Seconds by which the iteration gets shorter; negative = longer. Less than 1e-7 of the iteration, which a simulation
/// does not resolve, is zero.
struct Gain {
  Seconds predicted;                 // changed durations sent through the realised graph, see gains_of
  std::optional<Seconds> simulated;  // the plan simulated again; none = not done
};

struct Sensitivity {
  Load load;
  Gain percent;     // 1 % faster
  Gain twice;       // twice as fast
  Gain half_delay;  // of links: half the delay, at the same bandwidth
};

/// What changes are predicted to gain over `base`, and at extent simulated what they do gain; `already` was changed in
/// `base` too. Runs side by side; one gain per change.
///
/// Predicted: the tasklets' durations change as in changed_durations and are replayed as `base` follows.
std::vector<Gain> gains_of(const ExplainedRun& base, const std::vector<WhatIf>& changes,
                           const std::vector<WhatIf>& already, const Rerunner& rerunner, Extent extent);

/// One per load, the largest gain of twice the speed first. All simulated.
std::vector<Sensitivity> sensitivities(const ExplainedRun& base, const std::vector<Load>& loads,
                                       const std::vector<WhatIf>& already, const Rerunner& rerunner);

}  // namespace longhaul
