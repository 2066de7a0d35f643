#include "sim/description/cluster.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "sim/description/config.hpp"
#include "sim/description/device_type.hpp"
#include "sim/description/measurement.hpp"
#include "sim/description/platform_view.hpp"

namespace longhaul {
namespace {

constexpr const char* no_fabric = "none";
constexpr const char* limit_names[] = {"per_sender_and_class", "per_pair", "shared_trunk"};

std::string beside(const std::string& path, const std::string& other) {
  return (std::filesystem::path(path).parent_path() / other).string();
}

BytesPerSecond read_bandwidth(const Config& config) {
  const BytesPerSecond bandwidth = config.bandwidth();
  if (bandwidth > unlimited_bandwidth)
    throw config.error(fmt::format("'{}' is more than any link carries", config.text()),
                       "1000 Tbps stand for no limit", "up to 1000 Tbps");
  return bandwidth;
}

std::string read_name(const Config& config, const char* what) {
  std::string name = config.text();
  if (!is_region_name(name))
    throw config.error(fmt::format("'{}' cannot name {}", name, what), "it becomes part of names in the XML",
                       "letters, digits, _, - and ., a letter first");
  return name;
}

LinkFigures read_figures(const Config& config) {
  LinkFigures figures;
  figures.delay = config.at("delay").duration();
  if (const auto bandwidth = config.find("bandwidth")) figures.bandwidth = read_bandwidth(*bandwidth);
  return figures;
}

Nic read_nic(const Config& config) { return {read_bandwidth(config.at("up")), read_bandwidth(config.at("down"))}; }

// Where a region is declared and what it says about links inside it.
struct RegionEntry {
  Config config;
  Config item;  // its name, or a map
  std::optional<LinkFigures> inside;
  std::size_t machines = 0;
  std::size_t machines_without_nic = 0;  // nor host copies
};

struct FabricEntry {
  Config config;
  Fabric fabric;
  bool used = false;
};

class ClusterReader {
 public:
  explicit ClusterReader(const Config& config) : path_(config.where().file), config_(config) {}

  Cluster read() {
    cluster_.name = read_name(config_.at("name"), "the cluster");
    cluster_.source = config_.at("source").text();
    const std::string limit = config_.at("bandwidth_limit").choice({std::begin(limit_names), std::end(limit_names)});
    cluster_.limit = static_cast<BandwidthLimit>(std::find(std::begin(limit_names), std::end(limit_names), limit) -
                                                 std::begin(limit_names));
    read_fabrics();
    read_regions();
    read_machines();
    read_links();
    config_.reject_unread();
    check_limits();
    return std::move(cluster_);
  }

 private:
  void read_fabrics() {
    const auto list = config_.find("fabrics");
    if (!list) return;
    for (const auto& [name, config] : list->entries()) {
      if (!is_region_name(name) || name == no_fabric)
        throw config.error(fmt::format("'{}' cannot name a fabric", name), "it becomes part of names in the XML",
                           "letters, digits, _, - and ., a letter first, but not none");
      Fabric fabric{name, read_figures(config)};
      if (!fabric.figures.bandwidth)
        throw config.error("key 'bandwidth' is missing", "nothing else limits a fabric", "bandwidth: …");
      fabrics_.push_back({config, fabric});
    }
  }

  static std::optional<Config> fabric_of_region(const RegionEntry& region) {
    return region.item.is_map() ? region.item.find("fabric") : std::nullopt;
  }

  // The fabric of a machine: its own, else its region's.
  std::optional<Fabric> fabric_of(const Config& item, const RegionEntry& region) {
    const auto own = item.find("fabric");
    const auto named = own ? own : fabric_of_region(region);
    if (!named) return std::nullopt;
    std::vector<std::string> names{no_fabric};
    for (const FabricEntry& entry : fabrics_) names.push_back(entry.fabric.name);
    const std::string name = named->choice(names);
    for (FabricEntry& entry : fabrics_) {
      if (entry.fabric.name != name) continue;
      entry.used = true;
      return entry.fabric;
    }
    return std::nullopt;
  }

  void read_regions() {
    const auto common = config_.find("inside");
    const Config list = config_.at("regions");
    for (const Config& item : list.items()) {
      const Config named = item.is_map() ? item.at("name") : item;
      const std::string name = read_name(named, "a region");
      if (std::find(cluster_.regions.begin(), cluster_.regions.end(), name) != cluster_.regions.end())
        throw named.error(fmt::format("region '{}' appears twice", name), "", "each region once");
      RegionEntry entry{named, item, std::nullopt};
      fabric_of_region(entry);
      if (common) entry.inside = read_figures(*common);
      if (const auto own = item.is_map() ? item.find("inside") : std::nullopt) entry.inside = read_figures(*own);
      cluster_.regions.push_back(name);
      regions_.push_back(entry);
    }
    if (regions_.empty()) throw list.error("there are no regions", "", "a list of names");
  }

  void read_machines() {
    for (const DeviceType& type : device_types()) device_types_.push_back(type.name);
    if (const auto nic = config_.find("nic")) nic_ = read_nic(*nic);
    if (const auto copy = config_.find("host_copy")) host_copy_ = read_bandwidth(*copy);
    add_machines(config_.at("machines"));
    for (std::size_t i = 0; i < regions_.size(); ++i)
      if (regions_[i].machines == 0)
        throw regions_[i].config.error(fmt::format("no machine stands in region '{}'", cluster_.regions[i]),
                                       "it is unused", "regions that machines name");
    for (const FabricEntry& entry : fabrics_)
      if (!entry.used)
        throw entry.config.error(fmt::format("no machine is on fabric '{}'", entry.fabric.name), "it is unused",
                                 "fabrics that machines or regions name");
  }

  void add_machines(const Config& list) {
    const std::vector<Config> items = list.items();
    if (items.empty()) throw list.error("there are no machines", "", "a list of {region, count, device_type, …}");
    for (const Config& item : items) {
      if (const auto repeat = item.find("repeat")) {
        const std::int64_t times = repeat->integer(1, most_devices);
        for (std::int64_t i = 0; i < times; ++i) add_machines(item.at("machines"));
      } else {
        add_entry(item);
      }
    }
  }

  void add_entry(const Config& item) {
    const Config named = item.at("region");
    const auto region = std::find(cluster_.regions.begin(), cluster_.regions.end(), named.choice(cluster_.regions));
    Machine machine;
    machine.region = static_cast<std::size_t>(region - cluster_.regions.begin());
    machine.device_type = item.at("device_type").choice(device_types_);
    const auto count = item.find("count");
    const auto times = static_cast<std::size_t>(count ? count->integer(1, most_devices) : 1);
    if (const auto devices = item.find("devices"))
      machine.devices = static_cast<std::size_t>(devices->integer(1, most_devices));
    devices_ += times * machine.devices;
    if (devices_ > most_devices)
      throw item.error(fmt::format("{} devices so far", devices_), "larger platforms take SimGrid minutes to load",
                       fmt::format("at most {} devices in all", most_devices));
    machine.inside = read_inside(item, machine.devices);
    const auto nic = item.find("nic");
    machine.nic = nic ? read_nic(*nic) : nic_;
    const auto copy = item.find("host_copy");
    machine.host_copy = copy ? read_bandwidth(*copy) : host_copy_;
    RegionEntry& entry = regions_[machine.region];
    machine.fabric = fabric_of(item, entry);
    for (std::size_t i = 0; i < times; ++i) {
      machine.name = fmt::format("{}-{}", *region, entry.machines++);
      if (!machine.nic && !machine.host_copy) ++entry.machines_without_nic;
      cluster_.machines.push_back(machine);
    }
  }

  static LinkFigures read_inside(const Config& item, std::size_t devices) {
    const auto inside = item.find("inside");
    if (devices == 1) {
      if (!inside) return {};
      throw inside->error("links inside a machine of one device", "nothing would use them",
                          "inside only where devices is 2 or more");
    }
    if (!inside)
      throw item.error("key 'inside' is missing", fmt::format("it joins the {} devices of the machine", devices),
                       "inside: {delay: …, bandwidth: …}");
    LinkFigures figures = read_figures(*inside);
    if (!figures.bandwidth)
      throw inside->error("key 'bandwidth' is missing", "nothing else limits links inside a machine", "bandwidth: …");
    return figures;
  }

  void read_links() {
    const auto table = config_.find("measurements");
    const auto between = config_.find("between");
    const std::size_t size = cluster_.regions.size();
    if (table && between)
      throw between->error("links come from 'measurements' already", "", "measurements or between, not both");
    if (size == 1 && (table || between))
      throw(table ? *table : *between)
          .error("there is only one region", "nothing lies between regions", "inside: {delay: …, bandwidth: …}");
    if (size > 1 && !table && !between)
      throw config_.error("links between the regions are missing", "",
                          "measurements: FILE.csv, or between: {delay: …, bandwidth: …}");
    cluster_.delay = "one_way";
    cluster_.between.resize(size * size);
    for (std::size_t i = 0; i < size; ++i) cluster_.between[i * size + i] = inside_region(i);
    if (table) {
      read_table(*table);
    } else if (between) {
      const LinkFigures figures = read_figures(*between);
      for (std::size_t i = 0; i < size * size; ++i)
        if (i / size != i % size) cluster_.between[i] = figures;
    }
  }

  LinkFigures inside_region(std::size_t region) const {
    const RegionEntry& entry = regions_[region];
    if (entry.inside) return *entry.inside;
    if (!needs_links_inside(region)) return {};
    if (has_fabric(region))
      throw entry.config.error(
          fmt::format("machines of region '{}' share no fabric, and there are no figures for TCP between them",
                      cluster_.regions[region]),
          "different fabrics cannot talk to each other", "inside: {delay: …, bandwidth: …}, or one fabric for all");
    if (entry.machines > 1)
      throw entry.config.error(fmt::format("region '{}' has {} machines and no figures for the links between them",
                                           cluster_.regions[region], entry.machines),
                               "", "inside: {delay: …, bandwidth: …}, for all regions or for this one");
    return {};
  }

  bool has_fabric(std::size_t region) const {
    return std::any_of(cluster_.machines.begin(), cluster_.machines.end(),
                       [&](const Machine& machine) { return machine.region == region && machine.fabric; });
  }

  // Whether two of its machines share no fabric.
  bool needs_links_inside(std::size_t region) const {
    const Machine* first = nullptr;
    for (const Machine& machine : cluster_.machines) {
      if (machine.region != region) continue;
      if (first != nullptr && !share_fabric(*first, machine)) return true;
      if (first == nullptr) first = &machine;
    }
    return false;
  }

  void read_table(const Config& named) {
    cluster_.delay = config_.at("delay_is").choice({"one_way", "round_trip"});
    const bool both_ways = config_.at("direction").choice({"as_measured", "both_ways"}) == "both_ways";
    const MeasurementTable table = read_measurements(beside(path_, named.text()));
    const std::size_t size = cluster_.regions.size();
    for (std::size_t i = 0; i < size; ++i)
      if (!table.mentions(cluster_.regions[i]))
        throw regions_[i].config.error(fmt::format("region '{}' was not measured", cluster_.regions[i]),
                                       "no row of " + table.file, "regions of the measurement table");
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to) {
        if (from == to) continue;
        const Measurement& row = both_ways ? either_way(named, table, from, to) : as_measured(named, table, from, to);
        LinkFigures& link = cluster_.between[from * size + to];
        link.delay = cluster_.delay == "round_trip" ? row.delay / 2 : row.delay;
        link.bandwidth = row.bandwidth;
      }
  }

  const Measurement& as_measured(const Config& named, const MeasurementTable& table, std::size_t from,
                                 std::size_t to) const {
    const std::string &a = cluster_.regions[from], &b = cluster_.regions[to];
    const Measurement* row = table.find(a, b);
    if (row == nullptr)
      throw named.error(fmt::format("no row {},{} in {}", a, b, table.file), "direction is as_measured",
                        "a row for every directed pair, or direction: both_ways");
    return check(*row, named, table);
  }

  const Measurement& either_way(const Config& named, const MeasurementTable& table, std::size_t from,
                                std::size_t to) const {
    const std::string &a = cluster_.regions[from], &b = cluster_.regions[to];
    const Measurement* forward = table.find(a, b);
    const Measurement* back = table.find(b, a);
    if (forward == nullptr && back == nullptr)
      throw named.error(fmt::format("no row {},{} or {},{} in {}", a, b, b, a, table.file), "",
                        "a table that has every pair of the regions");
    if (forward != nullptr && back != nullptr)
      throw named.error(fmt::format("both {},{} and {},{} in {}", a, b, b, a, table.file), "direction is both_ways",
                        "direction: as_measured, or one row per pair");
    return check(forward != nullptr ? *forward : *back, named, table);
  }

  static const Measurement& check(const Measurement& row, const Config& named, const MeasurementTable& table) {
    if (row.bandwidth > unlimited_bandwidth)
      throw named.error(fmt::format("row {},{} of {} has more than 1000 Tbps", row.from, row.to, table.file),
                        "that stands for no limit", "up to 1000 Tbps");
    return row;
  }

  // A path is limited by its link or by a NIC at one of its ends; with neither, its bandwidth would be a fiction.
  void check_limits() const {
    for (std::size_t from = 0; from < regions_.size(); ++from)
      for (std::size_t to = 0; to < regions_.size(); ++to) {
        const std::size_t least = from == to ? 2 : 1;  // machines without NIC that make an unlimited path
        if ((from == to && !needs_links_inside(from)) || cluster_.link(from, to).bandwidth ||
            regions_[from].machines_without_nic < least || regions_[to].machines_without_nic < least)
          continue;
        throw config_.at("machines")
            .error(fmt::format("nothing limits the bandwidth from '{}' to '{}'", cluster_.regions[from],
                               cluster_.regions[to]),
                   "the link has no bandwidth and the machines no nic",
                   "a bandwidth there, or nic: {up: …, down: …}");
      }
  }

  std::string path_;
  Config config_;
  Cluster cluster_;
  std::vector<RegionEntry> regions_;
  std::vector<std::string> device_types_;  // names
  std::optional<Nic> nic_;
  std::optional<BytesPerSecond> host_copy_;
  std::vector<FabricEntry> fabrics_;
  std::size_t devices_ = 0;
};

}  // namespace

const char* name_of(BandwidthLimit limit) { return limit_names[static_cast<std::size_t>(limit)]; }

bool share_fabric(const Machine& a, const Machine& b) {
  return a.region == b.region && a.fabric && b.fabric && a.fabric->name == b.fabric->name;
}

std::string device_name(const Machine& machine, std::size_t device) {
  return machine.devices == 1 ? machine.name : fmt::format("{}-gpu{}", machine.name, device);
}

Cluster read_cluster(const std::string& path) { return read_cluster(Config::read_file(path)); }

Cluster read_cluster(const Config& description) { return ClusterReader(description).read(); }

}  // namespace longhaul
