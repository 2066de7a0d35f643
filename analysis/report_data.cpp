#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "analysis/link_use.hpp"
#include "analysis/report_parts.hpp"
#include "analysis/report_timeline.hpp"
#include "sim/workload/rank_layout.hpp"

namespace longhaul {
namespace {

using Json = nlohmann::ordered_json;

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
  return list;
}

Json json_of(const Axis& axis) { return {{"label", axis.label}, {"log", axis.scale == Scale::logarithmic}}; }

const char* name_of(ChartKind kind) {
  switch (kind) {
    case ChartKind::lines:
      return "lines";
    case ChartKind::points:
      return "points";
    case ChartKind::stacked_bars:
      return "stacked_bars";
    case ChartKind::matrix:
      return "matrix";
  }
  return "";
}

Json json_of(const Chart& chart) {
  Json series = Json::array();
  for (const Series& one : chart.series)
    series.push_back({{"name", one.name},
                      {"x", numbers(one.x)},
                      {"y", numbers(one.y)},
                      {"low", numbers(one.low)},
                      {"high", numbers(one.high)},
                      {"labels", one.labels}});
  return {{"id", chart.id},        {"kind", name_of(chart.kind)}, {"summary", chart.summary},
          {"x", json_of(chart.x)}, {"y", json_of(chart.y)},       {"categories", chart.categories},
          {"series", series}};
}

Json map_of(const RunResult& run, const std::map<std::string, Place>& places) {
  const std::vector<std::string> regions = region_names(run.platform);
  std::vector<std::size_t> devices(regions.size());
  for (const std::size_t region : region_of_device(run.platform)) ++devices[region];
  Json cities = Json::array();
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto known = places.find(regions[i]);
    const Place place = known == places.end() ? Place{regions[i], 0, 0} : known->second;
    cities.push_back({{"label", place.label},
                      {"latitude", place.latitude},
                      {"longitude", place.longitude},
                      {"devices", devices[i]}});
  }
  Json links = Json::array();
  for (const LinkUse& use : link_uses(run))
    links.push_back({{"from", use.link.from},
                     {"to", use.link.to},
                     {"latency", use.link.latency.value},
                     {"bandwidth", use.link.bandwidth.value},
                     {"bytes", use.bytes.value},
                     {"senders", use.senders},
                     {"busy", use.busy.value},
                     {"utilisation", use.utilisation}});
  return {{"summary", "Map of the regions. Left and right arrow keys go through the links, from the most used one."},
          {"located", located(run.platform, places)},
          {"places", cities},
          {"links", links}};
}

// Neighbours are alike: what differs takes a third less room than the numbers themselves.
template <class Number>
Json differences(const std::vector<Number>& column) {
  Json list = Json::array();
  std::int64_t before = 0;
  for (const Number value : column) {
    list.push_back(static_cast<std::int64_t>(value) - before);
    before = value;
  }
  return list;
}

Json timeline_of(const RunResult& run) {
  const ReportTimeline timeline = report_timeline(run, most_report_spans);
  const std::vector<std::size_t> region = region_of_device(run.platform);
  const RankLayout layout(run.record.plan);
  Json devices = Json::array();
  for (std::size_t i = 0; i < run.platform.size(); ++i) {
    const RankId rank = timeline.rank_of_device[i];
    devices.push_back({{"name", run.platform.device(DeviceId(i)).name},
                       {"region", region[i]},
                       {"rank", rank.value},
                       {"replica", layout.replica(rank).value}});
  }
  Json kinds = Json::array();
  for (const SpanKind& kind : span_kinds())
    kinds.push_back({{"label", kind.label}, {"paint", kind.paint}, {"transfer", is_transfer(kind.kind)}});
  return {{"devices", devices},
          {"regions", region_names(run.platform)},
          {"kinds", kinds},
          {"end", timeline.end},
          {"sizes", timeline.sizes},
          {"columns",
           {{"tasklet", differences(timeline.tasklet)},
            {"kind", differences(timeline.kind)},
            {"device", differences(timeline.device)},
            {"target", differences(timeline.target)},
            {"micro", differences(timeline.micro_batch)},
            {"size", differences(timeline.size)},
            {"start", differences(timeline.start)},
            {"length", differences(timeline.length)},
            {"flight", differences(timeline.flight)}}}};
}

// "<" would let text of the user's end the script element that the JSON stands in.
std::string for_script(const Json& json) {
  std::string text;
  for (const char character : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    if (character == '<')
      text += "\\u003c";
    else
      text += character;
  return text;
}

}  // namespace

bool located(const PlatformView& platform, const std::map<std::string, Place>& places) {
  const std::vector<std::string> regions = region_names(platform);
  return std::all_of(regions.begin(), regions.end(),
                     [&](const std::string& name) { return places.count(name) == 1; });
}

std::string label_of(const std::string& region, const std::map<std::string, Place>& places) {
  const auto known = places.find(region);
  return known == places.end() ? region : known->second.label;
}

std::string report_data(const ResultFolder& results, const std::vector<Chart>& charts,
                        const std::map<std::string, Place>& places) {
  Json drawn = Json::array();
  for (const Chart& chart : charts)
    if (chart.kind != ChartKind::matrix) drawn.push_back(json_of(chart));
  Json data{{"charts", drawn}};
  if (results.run) {
    data["map"] = map_of(*results.run, places);
    data["timeline"] = timeline_of(*results.run);
  }
  return for_script(data);
}

}  // namespace longhaul
