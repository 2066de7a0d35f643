#include "analysis/coastlines.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

using nlohmann::json;

// Arcs hold integer steps; scale and shift make degrees of them.
std::vector<Ring> arcs_of(const json& topology) {
  const json& scale = topology.at("transform").at("scale");
  const json& translate = topology.at("transform").at("translate");
  std::vector<Ring> arcs;
  for (const json& steps : topology.at("arcs")) {
    Ring arc;
    double x = 0;
    double y = 0;
    for (const json& step : steps) {
      x += step.at(0).get<double>();
      y += step.at(1).get<double>();
      arc.emplace_back(x * scale.at(0).get<double>() + translate.at(0).get<double>(),
                       y * scale.at(1).get<double>() + translate.at(1).get<double>());
    }
    arcs.push_back(std::move(arc));
  }
  return arcs;
}

// Arc numbers below zero mean the arc -1 - number backwards; arcs share their ends.
Ring ring_of(const json& numbers, const std::vector<Ring>& arcs) {
  Ring ring;
  for (const json& number : numbers) {
    const int index = number.get<int>();
    Ring arc = arcs.at(static_cast<std::size_t>(index < 0 ? -1 - index : index));
    if (index < 0) std::reverse(arc.begin(), arc.end());
    if (!ring.empty()) ring.pop_back();
    ring.insert(ring.end(), arc.begin(), arc.end());
  }
  return ring;
}

// A ring on the earth may pass the date line: its longitudes go on beyond 180 degrees. One around a pole is led there.
void unroll(Ring& ring) {
  for (std::size_t i = 1; i < ring.size(); ++i) {
    while (ring[i].first - ring[i - 1].first > 180) ring[i].first -= 360;
    while (ring[i].first - ring[i - 1].first < -180) ring[i].first += 360;
  }
  if (ring.empty() || std::abs(ring.back().first - ring.front().first) < 180) return;
  const auto [first, latitude] = ring.front();
  const double pole = latitude < 0 ? -90 : 90;
  ring.insert(ring.end(), {{ring.back().first, pole}, {first, pole}, {first, latitude}});
}

}  // namespace

std::vector<Ring> land_rings(std::string_view topology) {
  std::vector<Ring> rings;
  if (topology.empty()) return rings;
  try {
    const json file = json::parse(topology);
    const std::vector<Ring> arcs = arcs_of(file);
    const auto add = [&](const json& polygon) {
      for (const json& numbers : polygon) {
        rings.push_back(ring_of(numbers, arcs));
        unroll(rings.back());
      }
    };
    for (const json& geometry : file.at("objects").at("land").at("geometries"))
      if (geometry.at("type") == "Polygon")
        add(geometry.at("arcs"));
      else
        for (const json& polygon : geometry.at("arcs")) add(polygon);
  } catch (const std::exception& problem) {
    throw InternalError(std::string("the coastlines cannot be read: ") + problem.what());
  }
  return rings;
}

}  // namespace longhaul
