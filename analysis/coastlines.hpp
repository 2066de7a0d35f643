// The outlines of land.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace longhaul {

/// Degrees east and north, the last point is the first. Longitudes are continuous: one that passes the date line goes
/// beyond 180 degrees.
using Ring = std::vector<std::pair<double, double>>;

/// Rings of object "land" of a quantized TopoJSON file (github.com/topojson/topojson-specification), such as world-atlas
/// holds; none if the text is empty. InternalError if it is something else: the file is part of the build.
std::vector<Ring> land_rings(std::string_view topology);

}  // namespace longhaul
