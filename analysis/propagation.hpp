// Durations sent through a realised graph: when everything starts, what it waited for, how late it could have been.
#pragma once

#include <vector>

#include "analysis/realised_graph.hpp"

namespace longhaul {

/// What a tasklet takes from its start on.
struct Duration {
  Seconds hold;  // until its streams are free again
  Seconds lag;   // from then until its result is there
};

/// Those of a timeline, by tasklet id.
std::vector<Duration> durations_of(const Timeline& timeline);

struct Propagation {
  std::vector<Seconds> start;            // by tasklet id
  std::vector<const Cause*> last_cause;  // by tasklet id: what it waited for longest, null where for nothing
  Seconds end;                           // the latest finish
  TaskletId last;                        // who finishes then, the first such one
};

/// Every tasklet starts as soon as its causes let it: one pass in topological order. With the durations of the
/// graph's own timeline this gives back that timeline. With others it says what they would do if every stream kept its
/// order.
Propagation propagate(const RealisedGraph& graph, const std::vector<Duration>& durations);

/// By tasklet id: how much later it could start without the end moving.
std::vector<Seconds> slack_of(const RealisedGraph& graph, const std::vector<Duration>& durations,
                              const Propagation& propagation);

}  // namespace longhaul
