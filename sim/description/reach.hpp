// How far apart the devices of a path or a group stand.
#pragma once

#include <array>
#include <vector>

#include "sim/description/platform_view.hpp"

namespace longhaul {

enum class Reach { inside_machine, inside_region, between_regions };  // from near to far

constexpr std::array<const char*, 3> reach_names{"inside_machine", "inside_region", "between_regions"};

Reach reach_between(const PlatformView& platform, DeviceId a, DeviceId b);
/// The farthest of any two of them; inside a machine where there is one device.
Reach widest_reach(const PlatformView& platform, const std::vector<DeviceId>& devices);

}  // namespace longhaul
