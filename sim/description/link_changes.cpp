#include "sim/description/link_changes.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace longhaul {
namespace {

constexpr double least_factor = 1e-6;
constexpr double most_factor = 1e6;

struct Change {
  std::optional<double> bandwidth_factor;
  std::optional<BytesPerSecond> bandwidth;
  std::optional<double> delay_factor;
  std::optional<Seconds> delay;

  bool changes_delay() const { return delay_factor || delay; }
};

Change read_change(const Config& config) {
  Change change;
  const auto bandwidth_factor = config.find("bandwidth_factor");
  const auto bandwidth = config.find("bandwidth");
  const auto delay_factor = config.find("delay_factor");
  const auto delay = config.find("delay");
  if (bandwidth_factor && bandwidth)
    throw bandwidth->error("a bandwidth beside a factor", "the factor would be lost", "one of the two");
  if (delay_factor && delay)
    throw delay->error("a delay beside a factor", "the factor would be lost", "one of the two");
  if (bandwidth_factor) change.bandwidth_factor = bandwidth_factor->number(least_factor, most_factor);
  if (bandwidth) change.bandwidth = bandwidth->bandwidth();
  if (delay_factor) change.delay_factor = delay_factor->number(0, most_factor);
  if (delay) change.delay = delay->duration();
  if (!bandwidth_factor && !bandwidth && !change.changes_delay())
    throw config.error("no change", "", "bandwidth_factor or bandwidth, delay_factor or delay");
  return change;
}

class Changer {
 public:
  explicit Changer(Cluster& cluster) : cluster_(cluster) {}

  void apply(const std::string& selector, const Config& config) {
    config_ = &config;
    const Change change = read_change(config);
    const bool all = selector == "all";
    const std::size_t arrow = selector.find("->");
    if (arrow != std::string::npos) {
      change_between(change, region(selector.substr(0, arrow)), region(selector.substr(arrow + 2)));
      return;
    }
    if (!all && std::find(std::begin(classes), std::end(classes), selector) == std::end(classes))
      throw config.error(fmt::format("'{}' selects no links", selector), "",
                         fmt::format("all, {}, REGION->REGION, REGION->* or *->REGION", fmt::join(classes, ", ")));
    if (all || selector == "between_regions") change_where(change, [](auto from, auto to) { return from != to; });
    if (all || selector == "inside_regions") change_where(change, [](auto from, auto to) { return from == to; });
    if (selector == "inside_regions") change_fabrics(change, [](std::size_t) { return true; });
    if (all || selector == "fabrics") change_fabrics(change, [](std::size_t) { return true; });
    if (all || selector == "inside_machines") {
      for (Machine& machine : cluster_.machines)
        if (machine.devices > 1) change_link(change, machine.inside);
    }
    if (all || selector == "nics") {
      if (!all && change.changes_delay())
        throw config.error("network cards have no delay", "", "bandwidth_factor or bandwidth");
      for (Machine& machine : cluster_.machines)
        if (machine.nic) *machine.nic = {changed(change, machine.nic->up), changed(change, machine.nic->down)};
    }
  }

 private:
  static constexpr const char* classes[] = {"between_regions", "inside_regions", "inside_machines", "fabrics",
                                            "nics"};

  // Index of a region; none = every one.
  std::optional<std::size_t> region(const std::string& name) const {
    if (name == "*") return std::nullopt;
    const auto found = std::find(cluster_.regions.begin(), cluster_.regions.end(), name);
    if (found == cluster_.regions.end())
      throw config_->error(fmt::format("there is no region '{}'", name), "",
                           fmt::format("*, {}", fmt::join(cluster_.regions, ", ")));
    return static_cast<std::size_t>(found - cluster_.regions.begin());
  }

  void change_between(const Change& change, std::optional<std::size_t> from, std::optional<std::size_t> to) {
    const bool one_region = from && from == to;
    change_where(change, [&](std::size_t a, std::size_t b) {
      return (!from || a == *from) && (!to || b == *to) && (one_region || a != b);
    });
    if (one_region) change_fabrics(change, [&](std::size_t region) { return region == *from; });
  }

  // A fabric of some regions, at each machine's card.
  void change_fabrics(const Change& change, const std::function<bool(std::size_t)>& in_region) {
    for (Machine& machine : cluster_.machines)
      if (machine.fabric && in_region(machine.region)) change_link(change, machine.fabric->figures);
  }

  void change_where(const Change& change, const std::function<bool(std::size_t, std::size_t)>& selected) {
    const std::size_t size = cluster_.regions.size();
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to)
        if (selected(from, to)) change_link(change, cluster_.between[from * size + to]);
  }

  void change_link(const Change& change, LinkFigures& link) const {
    if (link.bandwidth) link.bandwidth = changed(change, *link.bandwidth);
    if (!link.bandwidth && change.bandwidth) link.bandwidth = change.bandwidth;
    if (change.delay_factor) link.delay = link.delay * *change.delay_factor;
    if (change.delay) link.delay = *change.delay;
  }

  BytesPerSecond changed(const Change& change, BytesPerSecond bandwidth) const {
    const BytesPerSecond result = change.bandwidth.value_or(bandwidth * change.bandwidth_factor.value_or(1));
    if (result > unlimited_bandwidth || result < BytesPerSecond(1))
      throw config_->error(fmt::format("a link gets {:g} B/s", result.value), "no link carries that",
                           "a change that leaves 1 B/s to 1000 Tbps");
    return result;
  }

  Cluster& cluster_;
  const Config* config_ = nullptr;  // of the change under way
};

// For each pair of regions the number of its class: pairs with equal figures have equal numbers.
std::vector<std::size_t> limiter_classes(const Cluster& cluster) {
  std::vector<std::size_t> classes;
  for (const LinkFigures& link : cluster.between) {
    const auto same = std::find_if(cluster.between.begin(), cluster.between.end(), [&](const LinkFigures& other) {
      return other.delay == link.delay && other.bandwidth == link.bandwidth;
    });
    classes.push_back(static_cast<std::size_t>(same - cluster.between.begin()));
  }
  return classes;
}

}  // namespace

void change_links(Cluster& cluster, const Config& changes) {
  cluster.limiter_classes = limiter_classes(cluster);
  Changer changer(cluster);
  for (const auto& [selector, change] : changes.entries()) changer.apply(selector, change);
}

}  // namespace longhaul
