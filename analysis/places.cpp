#include "analysis/places.hpp"

#include "sim/description/config.hpp"
#include "sim/description/data_folder.hpp"

namespace longhaul {

std::map<std::string, Place> read_places() {
  const Config file = Config::read_file(data_folder() + "/platforms/measurements/places.yaml");
  file.at("source").text();
  std::map<std::string, Place> places;
  for (const auto& [name, place] : file.at("places").entries())
    places[name] = {place.at("label").text(), place.at("latitude").number(-90, 90),
                    place.at("longitude").number(-180, 180)};
  file.reject_unread();
  return places;
}

}  // namespace longhaul
