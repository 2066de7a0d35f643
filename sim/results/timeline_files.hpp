// A timeline as files that other programs read. Formats are described in README.md.
#pragma once

#include <string>

#include "sim/description/platform_view.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// CSV, one line per tasklet, in the order of ids.
std::string timeline_csv(const PlatformView& platform, const TaskletGraph& graph, const Timeline& timeline);

/// A field of a CSV line, quoted only where it must be.
std::string csv_field(const std::string& text);

/// Chrome trace event format, for chrome://tracing and ui.perfetto.dev: a process per device, a thread per stream.
std::string chrome_trace(const PlatformView& platform, const TaskletGraph& graph, const Timeline& timeline);

}  // namespace longhaul
