// Regions and the links between them on a map, as a picture for papers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/coastlines.hpp"
#include "analysis/gnuplot.hpp"
#include "analysis/places.hpp"
#include "analysis/result_folder.hpp"

namespace longhaul {

/// Links that carried something as curves: each direction bows to its left, thicker and darker with its utilisation.
/// Nothing where a region has no place, or where there is only one region. Without `land` there are no coastlines.
std::optional<Drawing> drawing_of_map(const RunResult& run, const std::map<std::string, Place>& places,
                                      const std::vector<Ring>& land);

}  // namespace longhaul
