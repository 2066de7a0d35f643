// What everyone but the engine knows about a platform: its devices and the path between each two of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/description/path_table.hpp"

namespace longhaul {

/// The most devices of a platform.
constexpr std::size_t most_devices = 65536;

/// One GPU.
struct Device {
  std::string name;     // unique, the SimGrid host's name
  std::string type;     // device type, such as V100-SXM2-16GB
  std::string region;   // city or site
  std::string machine;  // devices of one machine share its NIC and talk over NVLink
  Bytes memory;         // 0 = unknown
  FlopsPerSecond peak;  // peak speed in the precision of training, the SimGrid host's speed
};

/// The pairwise, directed view of a loaded platform. Devices stand in the order of the platform file.
class PlatformView {
 public:
  PlatformView() = default;
  PlatformView(std::string name, std::vector<Device> devices, PathTable paths);

  const std::string& name() const { return name_; }
  std::size_t size() const { return devices_.size(); }
  const std::vector<Device>& devices() const { return devices_; }
  const Device& device(DeviceId id) const { return devices_[id.value]; }
  const Path& path(DeviceId from, DeviceId to) const { return paths_.path(from, to); }
  const PathTable& paths() const { return paths_; }
  bool same_machine(DeviceId a, DeviceId b) const { return machine_[a.value] == machine_[b.value]; }

 private:
  std::string name_;
  std::vector<Device> devices_;
  PathTable paths_;
  std::vector<std::uint32_t> machine_;  // per device, a number for its machine's name
};

}  // namespace longhaul
