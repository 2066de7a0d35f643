// The paths between the devices of a platform, each stored once per pair of classes of devices.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace longhaul {

/// A message alone on a directed path takes latency + bytes / bandwidth.
struct Path {
  Seconds latency;           // one way
  BytesPerSecond bandwidth;  // the slowest link on the way; how flows share links is the engine's business
};

/// Devices of one class have the same paths to whatever stands in another machine, and the same among each other where
/// they share a machine. Memory grows with the number of devices and with the square of the number of classes.
class PathTable {
 public:
  PathTable() = default;
  /// Every device a class of its own: one path per ordered pair, row-major, from * devices + to; the diagonal is ignored.
  PathTable(std::vector<Path> paths);
  /// `path_class` and `machine` per device; `between` row-major classes x classes for devices of different machines,
  /// `inside` per class for devices of one machine. Entries that no two devices need are ignored.
  PathTable(std::vector<std::uint32_t> path_class, std::vector<std::uint32_t> machine, std::vector<Path> between,
            std::vector<Path> inside);

  const Path& path(DeviceId from, DeviceId to) const {
    const std::uint32_t row = path_class_[from.value];
    if (machine_[from.value] == machine_[to.value]) return inside_[row];
    return between_[row * inside_.size() + path_class_[to.value]];
  }
  std::size_t devices() const { return path_class_.size(); }
  std::size_t classes() const { return inside_.size(); }

  const std::vector<std::uint32_t>& path_classes() const { return path_class_; }
  const std::vector<std::uint32_t>& machines() const { return machine_; }
  const std::vector<Path>& between() const { return between_; }
  const std::vector<Path>& inside() const { return inside_; }

 private:
  std::vector<std::uint32_t> path_class_;
  std::vector<std::uint32_t> machine_;
  std::vector<Path> between_;
  std::vector<Path> inside_;
};

}  // namespace longhaul
