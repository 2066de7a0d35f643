#include "sim/description/platform_zone.hpp"

#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/xml_text.hpp"
#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

// SimGrid reads a value as strtod(number) * factor. Where no text gives back exactly `value`, the base unit is used.
std::string in_units(double value, double factor, const char* unit, const char* base_unit) {
  const std::string rounded = shortest(std::strtod(fmt::format("{:.12g}", value / factor).c_str(), nullptr));
  for (const std::string& text : {rounded, shortest(value / factor)})
    if (std::strtod(text.c_str(), nullptr) * factor == value) return text + unit;
  return shortest(value) + base_unit;
}

std::string teraflops(FlopsPerSecond speed) { return in_units(speed.value, 1e12, "Tf", "f"); }
std::string gigabytes(Bytes size) { return in_units(size.value, 1e9, "GB", "B"); }

}  // namespace

std::string xml_delay(Seconds delay) { return in_units(delay.value, 1e-3, "ms", "s"); }
std::string xml_bandwidth(BytesPerSecond rate) { return in_units(rate.value, 1e9 / 8, "Gbps", "Bps"); }

std::string xml_property(const char* name, const std::string& value) {
  return fmt::format("<prop id=\"{}\" value=\"{}\"/>", name, xml_escaped(value));
}

void PlatformZone::add_device(const Machine& machine, std::size_t device, const std::string& more) {
  const DeviceType* type = find_device_type(types_, machine.device_type);
  require(type != nullptr, "a cluster with an unknown device type");
  std::string properties = xml_property("device_type", type->name) +
                           xml_property("region", cluster_.regions[machine.region]) +
                           xml_property("machine", machine.name);
  if (type->memory.value > 0) properties += xml_property("memory", gigabytes(type->memory));
  hosts_ += fmt::format("    <host id=\"{}\" speed=\"{}\">{}{}</host>\n", device_name(machine, device),
                        teraflops(type->peak), properties, more);
}

void PlatformZone::add_router(const std::string& name) { hosts_ += fmt::format("    <router id=\"{}\"/>\n", name); }

void PlatformZone::add_inside(const Machine& machine) {
  const std::string hub = machine.name + "-switch";
  add_router(hub);
  for (std::size_t i = 0; i < machine.devices; ++i) {
    const std::string device = device_name(machine, i);
    add_link(device + "-inside-up", machine.inside, "SHARED");
    add_link(device + "-inside-down", {Seconds(0), machine.inside.bandwidth}, "SHARED");
    add_route(device, hub, {device + "-inside-up"});
    add_route(hub, device, {device + "-inside-down"});
  }
}

void PlatformZone::add_fabric_ways(const Machine& machine, const std::string& in, const std::string& out) {
  const LinkFigures card{Seconds(0), machine.fabric->figures.bandwidth};
  add_link(machine.name + "-fabric-up", card, "SHARED");
  add_link(machine.name + "-fabric-down", card, "SHARED");
  for (std::size_t i = 0; i < machine.devices; ++i) {
    add_route(device_name(machine, i), out, {machine.name + "-fabric-up"});
    add_route(in, device_name(machine, i), {machine.name + "-fabric-down"});
  }
}

// What a device's ordinary way begins or ends with: the copy through its host. SimGrid takes the way of fewest links, so where
// there is a fabric the ordinary way, of three links without copies, gets one more that changes nothing.
std::vector<std::string> PlatformZone::host_copy(const Machine& machine, std::size_t device, const char* way) {
  if (machine.host_copy) {
    const std::string name = device_name(machine, device) + "-host-" + way;
    add_link(name, {Seconds(0), machine.host_copy}, "SHARED");
    return {name};
  }
  if (!machine.fabric) return {};
  const std::string name = unlimited_ + "-tcp";
  if (!has_detour_) add_link(name, {}, "SHARED");
  has_detour_ = true;
  return {name};
}

void PlatformZone::add_ways(const Machine& machine, const Doors& doors) {
  std::string up = unlimited_, down = unlimited_;
  if (machine.nic) {
    add_link(up = machine.name + "-nic-up", {Seconds(0), machine.nic->up}, "SHARED");
    add_link(down = machine.name + "-nic-down", {Seconds(0), machine.nic->down}, "SHARED");
  } else if (!has_unlimited_) {
    add_link(up, {}, "SHARED");
    has_unlimited_ = true;
  }
  const bool limited_by_sender = cluster_.limit == BandwidthLimit::per_sender_and_class;
  std::vector<std::vector<std::string>> out;  // of each device, as far as the card
  for (std::size_t i = 0; i < machine.devices; ++i) {
    out.push_back(host_copy(machine, i, "up"));
    out.back().push_back(up);
  }
  if (limited_by_sender) {
    const std::vector<std::string> limiters = add_limiters(machine, doors);
    for (std::size_t region = 0; region < doors.out.size(); ++region)
      if (!doors.out[region].empty())
        for (std::size_t i = 0; i < machine.devices; ++i) {
          std::vector<std::string> links = out[i];
          links.push_back(limiters[region]);
          add_route(device_name(machine, i), doors.out[region], links);
        }
  }
  for (std::size_t i = 0; i < machine.devices; ++i) {
    if (!limited_by_sender) add_route(device_name(machine, i), doors.out[machine.region], out[i]);
    std::vector<std::string> in{down};
    if (machine.host_copy) in.push_back(host_copy(machine, i, "down").front());
    add_route(doors.in, device_name(machine, i), in);
  }
}

// The limiter towards each region; regions of one (delay, bandwidth) class share it.
std::vector<std::string> PlatformZone::add_limiters(const Machine& machine, const Doors& doors) {
  std::vector<std::string> names(doors.out.size());
  std::set<std::string> written;
  for (std::size_t region = 0; region < names.size(); ++region) {
    if (doors.out[region].empty()) continue;
    const LinkFigures& figures = cluster_.link(machine.region, region);
    names[region] = fmt::format("{}-limit-{}", machine.name, xml_delay(figures.delay));
    if (figures.bandwidth) names[region] += "-" + xml_bandwidth(*figures.bandwidth);
    if (!cluster_.limiter_classes.empty())
      names[region] += fmt::format("-class-{}", cluster_.limiter_classes[machine.region * names.size() + region]);
    if (written.insert(names[region]).second) add_link(names[region], figures, "SHARED");
  }
  return names;
}

void PlatformZone::add_link(const std::string& name, const LinkFigures& figures, const char* sharing) {
  links_ += fmt::format("    <link id=\"{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"{}\"/>\n", name,
                        xml_bandwidth(figures.bandwidth.value_or(unlimited_bandwidth)), xml_delay(figures.delay),
                        figures.bandwidth ? sharing : "FATPIPE");
}

void PlatformZone::add_route(const std::string& from, const std::string& to, const std::vector<std::string>& links) {
  routes_ += fmt::format("    <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">", from, to);
  for (const std::string& name : links) routes_ += fmt::format("<link_ctn id=\"{}\"/>", name);
  routes_ += "</route>\n";
}

}  // namespace longhaul
