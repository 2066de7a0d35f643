// The critical path of a run as it happened, and to what its seconds belong.
#pragma once

#include <string>
#include <vector>

#include "analysis/propagation.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// A tasklet on the critical path. The seconds of all steps add up to the end of the run.
struct CriticalStep {
  TaskletId tasklet;
  bool queued = false;  // it started when a stream was released, not when a result came
  Seconds hold;         // computing, or bytes on the wire
  Seconds lag;          // delay of the way; zero where the next step waited for the stream only
  Seconds seconds() const { return hold + lag; }
};

/// From the first to the last. Where several tasklets let the next one go at the same moment, the first of them counts.
std::vector<CriticalStep> critical_steps(const RealisedGraph& graph, const std::vector<Duration>& durations,
                                         const Propagation& propagation);

/// Part of an iteration that a kind of tasklet belongs to, such as "gradient sync".
const char* phase_of(TaskletKind kind);

/// What a transfer passes, as a selector of links (sim/description/link_changes.hpp): `A->B` between or inside regions,
/// `inside_machines`.
std::string link_of(const Tasklet& transfer, const PlatformView& platform);

/// Seconds of the critical path that belong to one thing.
struct PathPart {
  std::string name;
  Seconds hold;
  Seconds lag;
  std::size_t steps = 0;
  std::size_t queued = 0;
  Seconds seconds() const { return hold + lag; }
};

/// The whole path in three ways, each with the largest part first. Phases add up to the iteration, and so do devices and
/// links together. A transfer belongs to its link, a computation to its device.
struct Attribution {
  std::vector<PathPart> phases;
  std::vector<PathPart> links;
  std::vector<PathPart> devices;
  std::string phase_link;  // the link that carries most of the first phase; empty if it computes
  Seconds phase_link_seconds;
};

Attribution attribute(const std::vector<CriticalStep>& steps, const TaskletGraph& graph,
                      const PlatformView& platform);

}  // namespace longhaul
