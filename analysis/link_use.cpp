#include "analysis/link_use.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace longhaul {
namespace {

struct PathSum {
  double latency = 0;
  double bandwidth = 0;
  double pairs = 0;

  void add(const Path& path) {
    latency += path.latency.value;
    bandwidth += path.bandwidth.value;
    ++pairs;
  }
};

// The time that at least one of the spans covers.
Seconds covered(std::vector<std::pair<double, double>>& spans) {
  std::sort(spans.begin(), spans.end());
  double sum = 0;
  double until = 0;
  for (const auto& [from, to] : spans) {
    sum += std::max(0.0, to - std::max(from, until));
    until = std::max(until, to);
  }
  return Seconds(sum);
}

// What is gathered about one link.
struct Passed {
  double transfers = 0;
  std::map<DeviceId, double> bytes_of_sender;
  std::vector<std::pair<double, double>> spans;
};

LinkUse use_of(const RegionLink& link, Passed& passed, const RunResult& run) {
  LinkUse use;
  use.link = link;
  use.transfers = static_cast<std::size_t>(passed.transfers);
  use.senders = passed.bytes_of_sender.size();
  use.busy = covered(passed.spans);
  double most = 0;
  for (const auto& [device, bytes] : passed.bytes_of_sender) {
    use.bytes += Bytes(bytes);
    most = std::max(most, bytes);
  }
  const double carried = run.sharing == LinkSharing::everyone ? use.bytes.value : most;
  const double capacity = (link.bandwidth * run.timeline.end).value;
  use.utilisation = capacity > 0 ? carried / capacity : 0;
  return use;
}

}  // namespace

std::vector<std::string> region_names(const PlatformView& platform) {
  std::vector<std::string> names;
  for (const Device& device : platform.devices())
    if (std::find(names.begin(), names.end(), device.region) == names.end()) names.push_back(device.region);
  return names;
}

std::vector<std::size_t> region_of_device(const PlatformView& platform) {
  const std::vector<std::string> names = region_names(platform);
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < names.size(); ++i) number[names[i]] = i;
  std::vector<std::size_t> regions;
  for (const Device& device : platform.devices()) regions.push_back(number.at(device.region));
  return regions;
}

std::vector<RegionLink> region_links(const PlatformView& platform) {
  const std::vector<std::size_t> region = region_of_device(platform);
  const std::size_t regions = region_names(platform).size();
  std::vector<PathSum> apart(regions * regions);     // between machines
  std::vector<PathSum> together(regions * regions);  // on one machine
  for (std::size_t from = 0; from < platform.size(); ++from)
    for (std::size_t to = 0; to < platform.size(); ++to) {
      if (from == to) continue;
      const bool same = platform.same_machine(DeviceId(from), DeviceId(to));
      (same ? together : apart)[region[from] * regions + region[to]].add(platform.path(DeviceId(from), DeviceId(to)));
    }
  std::vector<RegionLink> links;
  for (std::size_t i = 0; i < regions * regions; ++i) {
    const PathSum& sum = apart[i].pairs > 0 ? apart[i] : together[i];
    if (sum.pairs > 0)
      links.push_back(
          {i / regions, i % regions, Seconds(sum.latency / sum.pairs), BytesPerSecond(sum.bandwidth / sum.pairs)});
  }
  return links;
}

std::vector<LinkUse> link_uses(const RunResult& run) {
  const std::vector<std::size_t> region = region_of_device(run.platform);
  std::map<std::pair<std::size_t, std::size_t>, Passed> passed;
  for (std::size_t i = 0; i < run.tasklets.size(); ++i) {
    const Tasklet& task = run.tasklets[i];
    if (!is_transfer(task.kind) || task.bytes.value == 0) continue;
    Passed& one = passed[{region[task.device.value], region[task.target.value]}];
    ++one.transfers;
    one.bytes_of_sender[task.device] += task.bytes.value;
    one.spans.emplace_back(run.timeline.spans[i].start.value, run.timeline.spans[i].released.value);
  }
  std::vector<LinkUse> uses;
  for (const RegionLink& link : region_links(run.platform))
    uses.push_back(use_of(link, passed[{link.from, link.to}], run));
  return uses;
}

}  // namespace longhaul
