#include "sim/results/group_list.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/results/text_table.hpp"
#include "sim/workload/rank_groups.hpp"

namespace longhaul {
namespace {

using Json = nlohmann::ordered_json;

// "0-3, 8": numbers in the order of the group, runs shortened.
std::string ranges_of(const std::vector<RankId>& ranks) {
  std::vector<std::string> parts;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1].value == ranks[last].value + 1) ++last;
    parts.push_back(last - first < 2 ? fmt::to_string(ranks[first].value)
                                     : fmt::format("{}-{}", ranks[first].value, ranks[last].value));
    if (last - first == 1) parts.push_back(fmt::to_string(ranks[last].value));
    first = last + 1;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> device_names(const std::vector<RankId>& ranks, const std::vector<DeviceId>& devices,
                                      const PlatformView& platform) {
  std::vector<std::string> names;
  for (const RankId rank : ranks) names.push_back(platform.device(devices[rank.value]).name);
  return names;
}

std::string rank_table(const Plan& plan, const PlatformView& platform) {
  const RankLayout layout(plan);
  const std::vector<DeviceId> devices = plan.device_of_rank();
  std::vector<std::vector<std::string>> rows;
  for (std::size_t number = 0; number < layout.ranks(); ++number) {
    const RankId rank(number);
    const Device& device = platform.device(devices[number]);
    const Replica replica = layout.replica(rank);
    const Stage stage = layout.stage(rank);
    rows.push_back({fmt::to_string(number), device.name, device.type, device.region, fmt::to_string(replica.value),
                    fmt::to_string(stage.value),
                    fmt::format("{} of {}", layout.slice(rank), layout.slices(replica, stage)),
                    fmt::to_string(plan.pipeline(replica).layers[stage.value])});
    if (layout.parts() > 1) rows.back().push_back(fmt::format("{} of {}", layout.part(rank), layout.parts()));
  }
  std::vector<std::string> heads{"rank", "device", "type", "region", "replica", "stage", "slice", "layers"};
  if (layout.parts() > 1) heads.emplace_back("part");
  std::vector<Align> aligns(heads.size(), Align::right);
  std::fill(aligns.begin() + 1, aligns.begin() + 4, Align::left);
  return text_table(heads, aligns, rows);
}

}  // namespace

std::string group_tables(const Job& job, const Plan& plan, const PlatformView& platform) {
  const std::vector<DeviceId> devices = plan.device_of_rank();
  std::vector<std::vector<std::string>> rows;
  for (const RankGroup& group : rank_groups(job, plan))
    rows.push_back({name_of(group.kind), ranges_of(group.ranks),
                    group.kind == GroupKind::data ? fmt::format("{:.3f} GB", group.gradient.value / 1e9) : "",
                    fmt::format("{}", fmt::join(device_names(group.ranks, devices, platform), ", "))});
  return rank_table(plan, platform) + "\n" +
         text_table({"group", "ranks", "gradient", "devices"}, {Align::left, Align::left, Align::right, Align::left},
                    rows);
}

std::string group_json(const Job& job, const Plan& plan, const PlatformView& platform) {
  const RankLayout layout(plan);
  const std::vector<DeviceId> devices = plan.device_of_rank();
  Json ranks = Json::array();
  for (std::size_t number = 0; number < layout.ranks(); ++number) {
    const RankId rank(number);
    ranks.push_back({{"rank", number},
                     {"device", platform.device(devices[number]).name},
                     {"device_type", platform.device(devices[number]).type},
                     {"region", platform.device(devices[number]).region},
                     {"replica", layout.replica(rank).value},
                     {"stage", layout.stage(rank).value},
                     {"slice", layout.slice(rank)},
                     {"layers", plan.pipeline(layout.replica(rank)).layers[layout.stage(rank).value]}});
    if (layout.parts() > 1) ranks.back()["part"] = layout.part(rank);
  }
  Json groups = Json::array();
  for (const RankGroup& group : rank_groups(job, plan)) {
    Json members = Json::array();
    for (const RankId rank : group.ranks) members.push_back(rank.value);
    groups.push_back({{"kind", name_of(group.kind)}, {"ranks", members}});
    if (group.kind == GroupKind::data) groups.back()["gradient_bytes"] = group.gradient.value;
  }
  return Json{{"ranks", ranks}, {"groups", groups}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace longhaul
