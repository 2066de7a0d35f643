// What passed between regions during a run, and how much of their links that used.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/result_folder.hpp"

namespace longhaul {

/// Regions of a platform in the order in which its devices name them.
std::vector<std::string> region_names(const PlatformView& platform);
/// Index into region_names of each device.
std::vector<std::size_t> region_of_device(const PlatformView& platform);

/// All paths from the devices of one region to those of another (or the same): figures are means over the pairs of
/// devices on different machines, over those on one machine where there are no others.
struct RegionLink {
  std::size_t from = 0;  // index into region_names
  std::size_t to = 0;
  Seconds latency;
  BytesPerSecond bandwidth;
};
/// Row-major over the regions; from a region of one device to itself there is none.
std::vector<RegionLink> region_links(const PlatformView& platform);

struct LinkUse {
  RegionLink link;
  Bytes bytes;  // carried in the iteration
  std::size_t transfers = 0;
  std::size_t senders = 0;  // devices that sent something over it
  Seconds busy;             // time in which at least one transfer held its streams
  /// Bytes / (bandwidth x iteration): of the device that sent most, or of all devices where they share the link.
  double utilisation = 0;
};
/// One per region_links, in the same order.
std::vector<LinkUse> link_uses(const RunResult& run);

}  // namespace longhaul
