// SimGrid platform file -> PlatformView, through SimGrid itself (in a forked child), so that the view can never
// differ from what the engine simulates.
#pragma once

#include <string>

#include "sim/description/cluster.hpp"
#include "sim/description/platform_view.hpp"

namespace longhaul {

/// A platform ready to be used: the XML and the view of it.
struct Platform {
  std::string file;  // where it comes from, for messages and for the trace files that it names
  std::string xml;   // the text of the SimGrid platform file
  PlatformView view;
};

/// Reads `path`: a cluster description (.yaml) is compiled to XML first, a SimGrid platform file (.xml) is taken as
/// it is. Every host is a device, in document order; it must have a speed. Host properties device_type, region,
/// machine, memory (a size such as 16GB, or a number of bytes) are read; where a user's XML lacks them, the type is
/// "unknown", the region the enclosing zone, the machine the host itself, the memory 0. The view's name is that of
/// the outermost zone. Latency of a path = sum of its links' latencies, bandwidth = the least of its links'.
/// UserError: unreadable or invalid file, no device, more than most_devices, a device pair without a route, a speed,
/// bandwidth or latency out of range.
///
/// SimGrid is asked for the route of every ordered pair, 4 us each. Where every host has a property path_class, as those of
/// large clusters have (platform_racks.hpp), it is asked for one pair per pair of classes, and a sample of 1024 pairs is
/// checked against the answers (UserError where one differs); more than 2048 hosts must have it. Where every host has a
/// property number, that is the order of devices. The caller must have no threads.
Platform load_platform(const std::string& path);
/// The same for a cluster description that has been read from `file`.
Platform load_platform(const Cluster& cluster, const std::string& file);

/// For a child in which SimGrid loads a platform: goes to the folder of `file`, where SimGrid looks for the trace files
/// that it names.
void go_beside(const std::string& file);

}  // namespace longhaul
