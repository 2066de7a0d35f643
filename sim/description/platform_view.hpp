// What everyone but the engine knows about a platform: its devices and the path between each two of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace longhaul {

/// The most devices of a platform: a view holds a path for every ordered pair.
constexpr std::size_t most_devices = 16384;

/// One GPU.
struct Device {
  std::string name;     // unique, the SimGrid host's name
  std::string type;     // device type, such as V100-SXM2-16GB
  std::string region;   // city or site
  std::string machine;  // devices of one machine share its NIC and talk over NVLink
  Bytes memory;         // 0 = unknown
  FlopsPerSecond peak;  // peak speed in the precision of training, the SimGrid host's speed
};

/// A message alone on a directed path takes latency + bytes / bandwidth.
struct Path {
  Seconds latency;           // one way
  BytesPerSecond bandwidth;  // the slowest link on the way; how flows share links is the engine's business
};

/// The pairwise, directed view of a loaded platform. Devices stand in the order of the platform file.
class PlatformView {
 public:
  PlatformView() = default;
  /// `paths` row-major, from * devices.size() + to; the diagonal is ignored.
  PlatformView(std::string name, std::vector<Device> devices, std::vector<Path> paths);

  const std::string& name() const { return name_; }
  std::size_t size() const { return devices_.size(); }
  const std::vector<Device>& devices() const { return devices_; }
  const Device& device(DeviceId id) const { return devices_[id.value]; }
  const Path& path(DeviceId from, DeviceId to) const { return paths_[from.value * devices_.size() + to.value]; }
  bool same_machine(DeviceId a, DeviceId b) const { return device(a).machine == device(b).machine; }

 private:
  std::string name_;
  std::vector<Device> devices_;
  std::vector<Path> paths_;
};

}  // namespace longhaul
