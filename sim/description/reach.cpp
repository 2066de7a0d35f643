#include "sim/description/reach.hpp"

#include <algorithm>

namespace longhaul {

Reach reach_between(const PlatformView& platform, DeviceId a, DeviceId b) {
  if (platform.same_machine(a, b)) return Reach::inside_machine;
  return platform.device(a).region == platform.device(b).region ? Reach::inside_region : Reach::between_regions;
}

// Standing in one machine, or region, is transitive: it is enough to look from the first.
Reach widest_reach(const PlatformView& platform, const std::vector<DeviceId>& devices) {
  Reach widest = Reach::inside_machine;
  for (const DeviceId device : devices) widest = std::max(widest, reach_between(platform, devices.front(), device));
  return widest;
}

}  // namespace longhaul
