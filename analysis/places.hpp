// Where regions lie on the earth.
#pragma once

#include <map>
#include <string>

namespace longhaul {

struct Place {
  std::string label;     // as people write it
  double latitude = 0;   // degrees north
  double longitude = 0;  // degrees east
};

/// By region name, from platforms/measurements/places.yaml. UserError where that file is wrong.
std::map<std::string, Place> read_places();

}  // namespace longhaul
