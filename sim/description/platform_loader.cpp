#include "sim/description/platform_loader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include "sim/base/child_process.hpp"
#include "sim/base/file.hpp"
#include "sim/base/temporary_file.hpp"
#include "sim/description/platform_xml.hpp"
#include "sim/description/quantity.hpp"
#include "sim/description/simgrid_failure.hpp"
#include "sim/description/watchdog.hpp"

namespace longhaul {
namespace {

namespace s4u = simgrid::s4u;

constexpr std::size_t largest_file = 256U << 20U;  // bytes

// ---- the view as bytes, from the child to the parent

void put_number(std::string& bytes, double value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& bytes, const std::string& text) {
  put_number(bytes, static_cast<double>(text.size()));
  bytes += text;
}

class Cursor {
 public:
  explicit Cursor(const std::string& bytes) : bytes_(bytes) {}

  void take(void* target, std::size_t size) {
    require(size <= bytes_.size() - at_, "the platform's bytes are too few");
    std::memcpy(target, bytes_.data() + at_, size);
    at_ += size;
  }
  double number() {
    double value = 0;
    take(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string value(static_cast<std::size_t>(number()), '\0');
    take(value.data(), value.size());
    return value;
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

PlatformView view_of_bytes(const std::string& bytes) {
  Cursor cursor(bytes);
  std::string name = cursor.text();
  std::vector<Device> devices(static_cast<std::size_t>(cursor.number()));
  for (Device& device : devices) {
    device.name = cursor.text();
    device.type = cursor.text();
    device.region = cursor.text();
    device.machine = cursor.text();
    device.memory = Bytes(cursor.number());
    device.peak = FlopsPerSecond(cursor.number());
  }
  std::vector<Path> paths(devices.size() * devices.size());
  for (Path& path : paths) {
    path.latency = Seconds(cursor.number());
    path.bandwidth = BytesPerSecond(cursor.number());
  }
  return {std::move(name), std::move(devices), std::move(paths)};
}

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

void put_device(std::string& bytes, const s4u::Host& host, const std::string& file) {
  const double peak = host.get_speed();
  if (!lies_in(range_of(Dimension::speed), peak))
    throw UserError({file, 0, 0}, fmt::format("host '{}' has a speed of {} FLOP/s", host.get_name(), peak), "",
                    fmt::format("a speed {}", range_of(Dimension::speed).words));
  put_text(bytes, host.get_name());
  put_text(bytes, property_or(host, "device_type", "unknown"));
  put_text(bytes, property_or(host, "region", host.get_englobing_zone()->get_name()));
  put_text(bytes, property_or(host, "machine", host.get_name()));
  put_number(bytes, memory_of(host, file));
  put_number(bytes, peak);
}

void put_path(std::string& bytes, const s4u::Host& from, const s4u::Host& to, const std::string& file) {
  std::vector<s4u::Link*> links;
  double latency = 0;  // route_to adds to it
  from.route_to(&to, links, &latency);
  double bandwidth = INFINITY;
  for (const s4u::Link* link : links) {
    const auto times = link->is_shared() ? std::count(links.begin(), links.end(), link) : 1;
    bandwidth = std::min(bandwidth, link->get_bandwidth() / static_cast<double>(times));
  }
  if (links.empty())
    throw UserError({file, 0, 0}, fmt::format("no route from '{}' to '{}'", from.get_name(), to.get_name()),
                    "it has no links", "a route of at least one link between every two hosts");
  put_number(bytes, latency);
  put_number(bytes, bandwidth);
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

  std::string bytes;
  const auto zones = engine.get_netzone_root()->get_children();
  put_text(bytes, zones.empty() ? engine.get_netzone_root()->get_name() : zones.front()->get_name());
  put_number(bytes, static_cast<double>(hosts.size()));
  for (const s4u::Host* host : hosts) put_device(bytes, *host, file);
  bytes.reserve(bytes.size() + hosts.size() * hosts.size() * 2 * sizeof(double));
  for (const s4u::Host* from : hosts)
    for (const s4u::Host* to : hosts) {
      if (from != to) {
        watchdog.expect(seconds_for_a_route, {"no route from '", from->get_cname(), "' to '", to->get_cname(), "'"});
        put_path(bytes, *from, *to, file);
      } else {
        put_number(bytes, 0);
        put_number(bytes, 0);
      }
    }
  return bytes;
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
