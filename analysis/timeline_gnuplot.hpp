// The timeline of a run as a picture for papers.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/gnuplot.hpp"
#include "analysis/result_folder.hpp"

namespace longhaul {

/// The three streams of a device, as the engine serves them.
enum class Lane { compute, send, receive };

/// A time in which a lane of a device did one kind of work.
struct Bar {
  DeviceId device;
  Lane lane = Lane::compute;
  TaskletKind kind = TaskletKind::forward;
  Seconds start;
  Seconds end;  // > start
};

/// At most `most` bars, ordered by device, lane and start. Of more, neighbours of one kind become one bar, the gap
/// between them as narrow as will do; where that is not enough the longest are kept. Barriers take no lane's time and
/// are left out.
std::vector<Bar> timeline_bars(const RunResult& run, std::size_t most);

/// Devices in the order of ranks from top to bottom, time to the right; compute above, send and receive below it.
Drawing drawing_of_timeline(const RunResult& run);

}  // namespace longhaul
