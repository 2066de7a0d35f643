#include "sim/description/platform_loader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include "sim/base/child_process.hpp"
#include "sim/base/file.hpp"
#include "sim/base/random.hpp"
#include "sim/base/temporary_file.hpp"
#include "sim/description/path_classes.hpp"
#include "sim/description/platform_bytes.hpp"
#include "sim/description/platform_xml.hpp"
#include "sim/description/quantity.hpp"
#include "sim/description/simgrid_failure.hpp"
#include "sim/description/watchdog.hpp"

namespace longhaul {
namespace {

namespace s4u = simgrid::s4u;

constexpr std::size_t largest_file = 256U << 20U;  // bytes

// ---- in the child

constexpr int seconds_for_loading = 120;
constexpr int seconds_for_a_route = 2;  // SimGrid 3.32 loops for ever in a Dijkstra zone where there is no route

std::string property_or(const s4u::Host& host, const char* key, const std::string& fallback) {
  const char* value = host.get_property(key);
  return value == nullptr ? fallback : value;
}

double memory_of(const s4u::Host& host, const std::string& file) {
  const char* text = host.get_property("memory");
  if (text == nullptr) return 0;
  std::optional<double> bytes = parse_quantity(text, Dimension::size);
  if (!bytes && is_plain_number(text)) bytes = parse_quantity(std::string(text) + "B", Dimension::size);
  if (!bytes || !(*bytes > 0))
    throw UserError({file, 0, 0}, fmt::format("property memory of host '{}' is '{}'", host.get_name(), text),
                    "not a positive size", "a number of bytes or a size such as 16GB");
  return *bytes;
}

bool lies_in(const Range& range, double value) { return value >= range.least && value <= range.most; }

void check_links(const s4u::Engine& engine, const std::string& file) {
  std::vector<s4u::Link*> links = engine.get_all_links();
  std::sort(links.begin(), links.end(), [](const auto* a, const auto* b) { return a->get_name() < b->get_name(); });
  for (const s4u::Link* link : links) {
    const double bandwidth = link->get_bandwidth(), latency = link->get_latency();
    if (!lies_in(range_of(Dimension::bandwidth), bandwidth))
      throw UserError({file, 0, 0}, fmt::format("link '{}' has a bandwidth of {} B/s", link->get_name(), bandwidth),
                      "", fmt::format("a bandwidth {}", range_of(Dimension::bandwidth).words));
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::WIFI)
      throw UserError({file, 0, 0}, fmt::format("link '{}' is a wireless one", link->get_name()),
                      "its bandwidth is not a number", "links with sharing_policy SHARED, FATPIPE or SPLITDUPLEX");
    if (latency != 0 && !lies_in(range_of(Dimension::duration), latency))
      throw UserError({file, 0, 0}, fmt::format("link '{}' has a latency of {} s", link->get_name(), latency), "",
                      fmt::format("a latency of zero, or {}", range_of(Dimension::duration).words));
  }
}

Device device_of(const s4u::Host& host, const std::string& file) {
  const double peak = host.get_speed();
  if (!lies_in(range_of(Dimension::speed), peak))
    throw UserError({file, 0, 0}, fmt::format("host '{}' has a speed of {} FLOP/s", host.get_name(), peak), "",
                    fmt::format("a speed {}", range_of(Dimension::speed).words));
  return {host.get_name(),
          property_or(host, "device_type", "unknown"),
          property_or(host, "region", host.get_englobing_zone()->get_name()),
          property_or(host, "machine", host.get_name()),
          Bytes(memory_of(host, file)),
          FlopsPerSecond(peak)};
}

// Asks SimGrid for the paths between hosts.
class Surveyor {
 public:
  Surveyor(const std::vector<s4u::Host*>& hosts, const std::vector<Device>& devices, Watchdog& watchdog,
           const std::string& file)
      : hosts_(hosts), devices_(devices), watchdog_(watchdog), file_(file) {}

  PathTable survey() {
    std::vector<std::string> class_names;
    for (const s4u::Host* host : hosts_)
      if (const char* name = host->get_property(class_property)) class_names.emplace_back(name);
    if (class_names.size() == hosts_.size()) return by_class(classify(devices_, class_names, file_));
    if (hosts_.size() > most_classes)
      throw UserError(
          {file_, 0, 0}, fmt::format("{} hosts, not all with a property {}", hosts_.size(), class_property), too_many,
          fmt::format("at most {} hosts, or that property on every host (platforms/README.md)", most_classes));
    return all_pairs();
  }

 private:
  static constexpr const char* class_property = "path_class";
  static constexpr const char* too_many = "SimGrid would be asked for the route between every two of them";
  static constexpr std::size_t most_classes = 2048;  // 8 s of asking
  static constexpr std::size_t most_samples = 1024;

  Path path(std::size_t from, std::size_t to) {
    watchdog_.expect(seconds_for_a_route,
                     {"no route from '", hosts_[from]->get_cname(), "' to '", hosts_[to]->get_cname(), "'"});
    std::vector<s4u::Link*> links;
    double latency = 0;  // route_to adds to it
    hosts_[from]->route_to(hosts_[to], links, &latency);
    double bandwidth = INFINITY;
    for (const s4u::Link* link : links) {
      const auto times = link->is_shared() ? std::count(links.begin(), links.end(), link) : 1;
      bandwidth = std::min(bandwidth, link->get_bandwidth() / static_cast<double>(times));
    }
    if (links.empty())
      throw UserError({file_, 0, 0},
                      fmt::format("no route from '{}' to '{}'", devices_[from].name, devices_[to].name),
                      "it has no links", "a route of at least one link between every two hosts");
    return {Seconds(latency), BytesPerSecond(bandwidth)};
  }

  PathTable all_pairs() {
    const std::size_t size = hosts_.size();
    std::vector<Path> paths(size * size);
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to)
        if (from != to) paths[from * size + to] = path(from, to);
    return {std::move(paths)};
  }

  // One question per pair of classes, and a sample that shows whether the classes are true.
  PathTable by_class(PathClasses classes) {
    const std::size_t count = classes.members.size();
    if (count > most_classes)
      throw UserError({file_, 0, 0}, fmt::format("{} values of property {}", count, class_property), too_many,
                      fmt::format("at most {}", most_classes));
    std::vector<Path> between(count * count), inside(count);
    for (std::size_t a = 0; a < count; ++a) {
      const PathClasses::Members& members = classes.members[a];
      if (members.in_one_machine) inside[a] = path(members.in_one_machine->first, members.in_one_machine->second);
      if (members.elsewhere) between[a * count + a] = path(members.first, *members.elsewhere);
      for (std::size_t b = 0; b < count; ++b)
        if (a != b) between[a * count + b] = path(members.first, classes.members[b].first);
    }
    PathTable table(std::move(classes.path_class), std::move(classes.machine), std::move(between), std::move(inside));
    check_sample(table);
    return table;
  }

  void check_sample(const PathTable& table) {
    RandomStream random(1, "sample of paths");
    for (std::size_t sample = 0; hosts_.size() > 1 && sample < most_samples; ++sample) {
      const auto from = static_cast<std::size_t>(random.below(hosts_.size()));
      const auto to = static_cast<std::size_t>((from + 1 + random.below(hosts_.size() - 1)) % hosts_.size());
      const Path &asked = path(from, to), &expected = table.path(DeviceId(from), DeviceId(to));
      if (asked.latency == expected.latency && asked.bandwidth == expected.bandwidth) continue;
      throw UserError({file_, 0, 0},
                      fmt::format("the path from '{}' to '{}' is not that of others with their {}",
                                  devices_[from].name, devices_[to].name, class_property),
                      "paths may depend on the class only, apart from those inside a machine",
                      "another value where paths differ");
    }
  }

  const std::vector<s4u::Host*>& hosts_;
  const std::vector<Device>& devices_;
  Watchdog& watchdog_;
  const std::string& file_;
};

// Where every host has a property `number`, that is the order of devices, not the order of the file.
void sort_by_number(std::vector<s4u::Host*>& hosts) {
  std::vector<std::pair<long, s4u::Host*>> numbered;
  for (s4u::Host* host : hosts) {
    const char* number = host->get_property("number");
    if (number == nullptr) return;
    numbered.emplace_back(std::strtol(number, nullptr, 10), host);
  }
  std::stable_sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i] = numbered[i].second;
}

std::string load_with_simgrid(const std::string& xml, const std::string& file) {
  const TemporaryFile readable_as_xml_only(xml);
  Watchdog watchdog;
  watchdog.expect(seconds_for_loading, {"loading it takes more than two minutes of processor time"});
  std::string name = "longhaul", quiet = "--log=root.thresh:critical";
  char* arguments[] = {name.data(), quiet.data(), nullptr};
  int count = 2;
  const s4u::Engine engine(&count, arguments);
  s4u::Engine::set_config("network/model:CM02");

  std::vector<s4u::Host*> hosts;  // in document order; the engine's own list is in hash order
  std::unordered_set<const s4u::Host*> seen;
  s4u::Host::on_creation_cb([&](s4u::Host& host) {  // may be called twice for a host
    if (!seen.insert(&host).second) return;
    hosts.push_back(&host);
    if (hosts.size() > most_devices)
      throw UserError({file, 0, 0}, fmt::format("more than {} hosts", most_devices), "every host is a device",
                      fmt::format("at most {} hosts", most_devices));
  });
  go_beside(file);
  engine.load_platform(readable_as_xml_only.path());
  engine.seal_platform();
  if (hosts.empty()) throw UserError({file, 0, 0}, "no host", "every host is a device", "at least one host");
  check_links(engine, file);

  sort_by_number(hosts);
  const auto zones = engine.get_netzone_root()->get_children();
  std::vector<Device> devices;
  for (const s4u::Host* host : hosts) devices.push_back(device_of(*host, file));
  PathTable paths = Surveyor(hosts, devices, watchdog, file).survey();
  return bytes_of_view({zones.empty() ? engine.get_netzone_root()->get_name() : zones.front()->get_name(),
                        std::move(devices), std::move(paths)});
}

PlatformView view_of_xml(const std::string& xml, const std::string& file) {
  try {
    return view_of_bytes(run_in_child([&]() -> std::string {
      try {
        return load_with_simgrid(xml, file);
      } catch (const UserError&) {
        throw;
      } catch (const InternalError&) {
        throw;
      } catch (const std::exception& failure) {
        throw simgrid_failure(file, failure.what());
      }
    }));
  } catch (const ChildDied& death) {
    throw simgrid_failure(file, death);
  }
}

// Only what tells a platform file from something else; SimGrid judges the rest.
void check_looks_like_xml(const std::string& text, const std::string& file) {
  const std::string accepted = "a SimGrid platform file (XML)";
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw UserError({file, 1, 1}, "the file is empty", "", accepted);
  if (text.find('\0') != std::string::npos)
    throw UserError({file, 0, 0}, "this is not text", "it has zero bytes", accepted);
  if (text.find("<platform") == std::string::npos)
    throw UserError({file, 0, 0}, "no <platform> in the file", "it may be cut off or something else", accepted);
}

}  // namespace

void go_beside(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code stays_where_it_is;
  if (!folder.empty()) std::filesystem::current_path(folder, stays_where_it_is);
}

Platform load_platform(const Cluster& cluster, const std::string& file) {
  Platform platform;
  platform.file = file;
  platform.xml = platform_xml(cluster);
  platform.view = view_of_xml(platform.xml, file);
  return platform;
}

Platform load_platform(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  Platform platform;
  platform.file = path;
  if (extension == ".yaml" || extension == ".yml") return load_platform(read_cluster(path), path);
  if (extension == ".xml") {
    platform.xml = read_text_file(path, largest_file);
    check_looks_like_xml(platform.xml, path);
  } else {
    throw UserError({path, 0, 0}, fmt::format("the extension '{}' says nothing about its format", extension), "",
                    "a cluster description .yaml or a SimGrid platform file .xml");
  }
  platform.view = view_of_xml(platform.xml, path);
  return platform;
}

}  // namespace longhaul
