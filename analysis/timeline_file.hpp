// Tasklets and their spans read back from the timeline.csv that sim/results/timeline_files.hpp writes.
#pragma once

#include <string>
#include <vector>

#include "sim/description/platform_view.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/tasklet.hpp"

namespace longhaul {

struct TimelineFile {
  std::vector<Tasklet> tasklets;  // by number; kind, rank, device, target, micro-batch, flops and bytes
  Timeline timeline;
};

/// Devices are named as on `platform`. UserError with file and line where a line is cut off or makes no sense.
TimelineFile read_timeline(const std::string& path, const PlatformView& platform);

}  // namespace longhaul
