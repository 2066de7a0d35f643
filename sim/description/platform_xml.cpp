#include "sim/description/platform_xml.hpp"

#include <cstdlib>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/xml_text.hpp"
#include "sim/description/device_type.hpp"
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

std::string milliseconds(Seconds delay) { return in_units(delay.value, 1e-3, "ms", "s"); }
std::string gigabits(BytesPerSecond rate) { return in_units(rate.value, 1e9 / 8, "Gbps", "Bps"); }
std::string teraflops(FlopsPerSecond speed) { return in_units(speed.value, 1e12, "Tf", "f"); }
std::string gigabytes(Bytes size) { return in_units(size.value, 1e9, "GB", "B"); }

class PlatformWriter {
 public:
  explicit PlatformWriter(const Cluster& cluster) : cluster_(cluster), machines_in_(cluster.regions.size(), 0) {
    for (const Machine& machine : cluster.machines) ++machines_in_[machine.region];
  }

  std::string write() {
    devices();
    if (crossing()) routers();
    for (const Machine& machine : cluster_.machines) {
      if (machine.devices > 1) inside_machine(machine);
      if (crossing()) into_and_out_of(machine);
    }
    if (crossing() && !limited_by_sender()) between_regions();
    return head() + hosts_ + links_ + routes_ + "  </zone>\n</platform>\n";
  }

 private:
  bool crossing() const { return cluster_.machines.size() > 1; }
  bool limited_by_sender() const { return cluster_.limit == BandwidthLimit::per_sender_and_class; }
  bool joined(std::size_t from, std::size_t to) const { return from != to || machines_in_[from] > 1; }
  std::string ingress(std::size_t region) const { return cluster_.regions[region] + "-ingress"; }
  std::string egress(std::size_t region) const { return cluster_.regions[region] + "-egress"; }

  std::string head() const {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<!-- Made from a cluster description by `longhaul platform build`: change that one, not this file. -->\n"
        "<platform version=\"4.1\">\n"
        "  <zone id=\"{}\" routing=\"DijkstraCache\">\n"
        "    <prop id=\"source\" value=\"{}\"/>\n"
        "    <prop id=\"bandwidth_limit\" value=\"{}\"/>\n"
        "    <prop id=\"delay_is\" value=\"{}\"/>\n",
        xml_escaped(cluster_.name), xml_escaped(cluster_.source), name_of(cluster_.limit), cluster_.delay);
  }

  void devices() {
    const std::vector<DeviceType> types = device_types();
    for (const Machine& machine : cluster_.machines) {
      const DeviceType* found = find_device_type(types, machine.device_type);
      require(found != nullptr, "a cluster with an unknown device type");
      const DeviceType& type = *found;
      std::string properties = property("device_type", type.name) +
                               property("region", cluster_.regions[machine.region]) +
                               property("machine", machine.name);
      if (type.memory.value > 0) properties += property("memory", gigabytes(type.memory));
      for (std::size_t i = 0; i < machine.devices; ++i)
        hosts_ += fmt::format("    <host id=\"{}\" speed=\"{}\">{}</host>\n", device_name(machine, i),
                              teraflops(type.peak), properties);
    }
  }

  void routers() {
    for (std::size_t region = 0; region < cluster_.regions.size(); ++region) {
      if (!limited_by_sender()) router(egress(region));
      router(ingress(region));
    }
  }

  void inside_machine(const Machine& machine) {
    const std::string hub = machine.name + "-switch";
    router(hub);
    for (std::size_t i = 0; i < machine.devices; ++i) {
      const std::string device = device_name(machine, i);
      link(device + "-inside-up", machine.inside, "SHARED");
      link(device + "-inside-down", {Seconds(0), machine.inside.bandwidth}, "SHARED");
      route(device, hub, {device + "-inside-up"});
      route(hub, device, {device + "-inside-down"});
    }
  }

  void into_and_out_of(const Machine& machine) {
    std::string up = "unlimited", down = "unlimited";
    if (machine.nic) {
      link(up = machine.name + "-nic-up", {Seconds(0), machine.nic->up}, "SHARED");
      link(down = machine.name + "-nic-down", {Seconds(0), machine.nic->down}, "SHARED");
    } else if (!has_unlimited_) {
      link(up, {}, "SHARED");
      has_unlimited_ = true;
    }
    if (limited_by_sender()) {
      const std::vector<std::string> limiters = limiters_of(machine);
      for (std::size_t region = 0; region < cluster_.regions.size(); ++region)
        if (joined(machine.region, region))
          for (std::size_t i = 0; i < machine.devices; ++i)
            route(device_name(machine, i), ingress(region), {up, limiters[region]});
    }
    for (std::size_t i = 0; i < machine.devices; ++i) {
      if (!limited_by_sender()) route(device_name(machine, i), egress(machine.region), {up});
      route(ingress(machine.region), device_name(machine, i), {down});
    }
  }

  // The limiter towards each region; regions of one (delay, bandwidth) class share it.
  std::vector<std::string> limiters_of(const Machine& machine) {
    std::vector<std::string> names(cluster_.regions.size());
    std::map<std::string, bool> written;
    for (std::size_t region = 0; region < names.size(); ++region) {
      if (!joined(machine.region, region)) continue;
      const LinkFigures& figures = cluster_.link(machine.region, region);
      names[region] = fmt::format("{}-limit-{}", machine.name, milliseconds(figures.delay));
      if (figures.bandwidth) names[region] += "-" + gigabits(*figures.bandwidth);
      if (!cluster_.limiter_classes.empty())
        names[region] += fmt::format("-class-{}", cluster_.limiter_classes[machine.region * names.size() + region]);
      if (written.emplace(names[region], true).second) link(names[region], figures, "SHARED");
    }
    return names;
  }

  void between_regions() {
    const char* sharing = cluster_.limit == BandwidthLimit::per_pair ? "FATPIPE" : "SHARED";
    for (std::size_t from = 0; from < cluster_.regions.size(); ++from)
      for (std::size_t to = 0; to < cluster_.regions.size(); ++to) {
        if (!joined(from, to)) continue;
        const std::string name = cluster_.regions[from] + ":" + cluster_.regions[to];
        link(name, cluster_.link(from, to), sharing);
        route(egress(from), ingress(to), {name});
      }
  }

  static std::string property(const char* name, const std::string& value) {
    return fmt::format("<prop id=\"{}\" value=\"{}\"/>", name, xml_escaped(value));
  }

  void router(const std::string& name) { hosts_ += fmt::format("    <router id=\"{}\"/>\n", name); }

  // Without a bandwidth the link limits nothing, however many share it.
  void link(const std::string& name, const LinkFigures& figures, const char* sharing) {
    links_ += fmt::format("    <link id=\"{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"{}\"/>\n", name,
                          gigabits(figures.bandwidth.value_or(unlimited_bandwidth)), milliseconds(figures.delay),
                          figures.bandwidth ? sharing : "FATPIPE");
  }

  void route(const std::string& from, const std::string& to, const std::vector<std::string>& links) {
    routes_ += fmt::format("    <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">", from, to);
    for (const std::string& name : links) routes_ += fmt::format("<link_ctn id=\"{}\"/>", name);
    routes_ += "</route>\n";
  }

  const Cluster& cluster_;
  std::vector<std::size_t> machines_in_;  // per region
  std::string hosts_, links_, routes_;
  bool has_unlimited_ = false;
};

}  // namespace

std::string platform_xml(const Cluster& cluster) { return PlatformWriter(cluster).write(); }

}  // namespace longhaul
