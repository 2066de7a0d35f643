// The zones of a large cluster.
#pragma once

#include <string>

#include "sim/description/cluster.hpp"

namespace longhaul {

/// What stands inside the outermost zone (with Full routing) of a large cluster.
///
/// One zone with Dijkstra routing grows with the square of its nodes, in SimGrid's memory and time. So machines of a region (and of one
/// fabric, if they are on any) are put together into racks, about as many racks as a rack has devices; each is a zone of its own, and one route joins
/// each two of them. The paths are those of the single zone; where there are limiters an unlimited link comes on top.
/// (Star zones would need no rack, but know only one way out of a machine: neither limiters by destination nor a link
/// between two machines of a region fit in.) All policies use it.
///
/// Beyond the properties of the single zone, hosts carry `number` (a rack gathers what may stand apart in the
/// description) and `path_class` (devices of one value have the same paths).
std::string rack_zones(const Cluster& cluster);

}  // namespace longhaul
