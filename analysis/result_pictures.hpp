// Results as pictures for papers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/places.hpp"
#include "analysis/result_folder.hpp"

namespace longhaul {

struct Picture {
  std::string name;  // of its file, without extension
  std::string svg;
};

/// One per chart of result_charts; of a run also "timeline" and, where every region has a place, "map". `coastlines`:
/// TopoJSON, may be empty. Errors as in svg_of.
std::vector<Picture> result_pictures(const ResultFolder& results, const std::map<std::string, Place>& places,
                                     std::string_view coastlines);

}  // namespace longhaul
