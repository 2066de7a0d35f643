// Which links of a platform several transfers may have to share.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/description/platform_loader.hpp"

namespace longhaul {

using DevicePair = std::pair<DeviceId, DeviceId>;  // from, to

/// The links on some routes that divide their bandwidth among the transfers on them (sharing_policy SHARED or SPLITDUPLEX,
/// not FATPIPE).
struct SharedLinks {
  std::vector<std::string> names;
  std::vector<BytesPerSecond> bandwidths;
  std::vector<std::vector<std::uint32_t>> on_route;  // per pair; a link that a route takes twice stands there twice
};

/// Asks SimGrid (in a forked child) for the routes of `pairs`. The platform has been loaded before: errors are not the
/// user's.
SharedLinks shared_links(const Platform& platform, const std::vector<DevicePair>& pairs);

/// False only where every link of the platform's XML is said to be FATPIPE, and no other element brings links.
bool may_have_shared_links(const std::string& xml);

/// The words in the platform's XML by which it says more than constant links and speeds: trace files, included files,
/// SimGrid settings, coordinates. None = what the view says holds all the time.
std::optional<std::string> beyond_constant_links(const std::string& xml);

}  // namespace longhaul
