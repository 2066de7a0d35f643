#include "sim/description/measured_sums.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/description/config.hpp"
#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

MeasuredSums::Curve read_curve(const Config& config) {
  MeasuredSums::Curve curve;
  curve.members = static_cast<std::size_t>(config.at("members").integer(2, 1'000'000));
  for (const Config& item : config.at("times").items()) {
    const std::vector<Config> pair = item.items();
    if (pair.size() != 2) throw item.error("not two values", "", "[SIZE, TIME]");
    const Bytes bytes = pair[0].bytes();
    if (!curve.points.empty() && bytes <= curve.points.back().first)
      throw pair[0].error("not larger than the size before", "", "rising sizes");
    curve.points.emplace_back(bytes, pair[1].duration(Sign::positive));
  }
  if (curve.points.empty()) throw config.error("no times", "", "times: [[SIZE, TIME], …]");
  return curve;
}

}  // namespace

Seconds MeasuredSums::time(std::size_t members, Bytes bytes) const {
  std::vector<std::size_t> known;
  for (const Curve& curve : curves) {
    known.push_back(curve.members);
    if (curve.members != members) continue;
    const auto& points = curve.points;
    const auto above = std::find_if(points.begin(), points.end(), [&](const auto& at) { return bytes <= at.first; });
    if (above == points.begin()) return above->second;
    if (above == points.end()) return points.back().second * (bytes / points.back().first);
    const auto& [least, from] = *(above - 1);
    return from + (above->second - from) * ((bytes - least) / (above->first - least));
  }
  throw UserError(where, fmt::format("'{}' has no sums among {} devices", name, members), "it was not measured",
                  fmt::format("tensor: 1 or one of {}", fmt::join(known, ", ")));
}

MeasuredSums find_measured_sums(const std::string& name, const Location& where) {
  MeasuredSums sums;
  sums.name = name;
  sums.where = where;
  const Config file = Config::read_file(data_file("scenarios/sums", name, ".yaml", where));
  file.at("source").text();
  for (const Config& curve : file.at("sums").items()) sums.curves.push_back(read_curve(curve));
  file.reject_unread();
  return sums;
}

}  // namespace longhaul
