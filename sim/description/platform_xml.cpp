#include "sim/description/platform_xml.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>

#include "sim/base/xml_text.hpp"
#include "sim/description/platform_racks.hpp"
#include "sim/description/platform_zone.hpp"

namespace longhaul {
namespace {

// A small cluster: one zone with everything.
class GraphWriter {
 public:
  explicit GraphWriter(const Cluster& cluster)
      : cluster_(cluster), machines_in_(cluster.regions.size(), 0), zone_(cluster, "unlimited") {
    for (const Machine& machine : cluster.machines) ++machines_in_[machine.region];
  }

  std::string write() {
    for (const Machine& machine : cluster_.machines)
      for (std::size_t i = 0; i < machine.devices; ++i) zone_.add_device(machine, i, "");
    if (crossing()) add_routers();
    for (const Machine& machine : cluster_.machines) {
      if (machine.devices > 1) zone_.add_inside(machine);
      if (crossing()) zone_.add_ways(machine, doors_of(machine));
      if (crossing() && machine.fabric) add_fabric(machine);
    }
    if (crossing() && !limited_by_sender()) add_links_between_regions();
    return zone_.text();
  }

 private:
  bool crossing() const { return cluster_.machines.size() > 1; }
  bool limited_by_sender() const { return cluster_.limit == BandwidthLimit::per_sender_and_class; }
  bool joined(std::size_t from, std::size_t to) const { return from != to || machines_in_[from] > 1; }
  std::string ingress(std::size_t region) const { return cluster_.regions[region] + "-ingress"; }
  std::string egress(std::size_t region) const { return cluster_.regions[region] + "-egress"; }

  void add_routers() {
    for (std::size_t region = 0; region < cluster_.regions.size(); ++region) {
      if (!limited_by_sender()) zone_.add_router(egress(region));
      zone_.add_router(ingress(region));
    }
  }

  Doors doors_of(const Machine& machine) const {
    Doors doors{ingress(machine.region), std::vector<std::string>(cluster_.regions.size())};
    for (std::size_t region = 0; region < doors.out.size(); ++region)
      if (!limited_by_sender())
        doors.out[region] = egress(machine.region);
      else if (joined(machine.region, region))
        doors.out[region] = ingress(region);
    return doors;
  }

  // A link that everybody on the fabric passes, with its delay; the cards have the bandwidth.
  void add_fabric(const Machine& machine) {
    const std::string name = cluster_.regions[machine.region] + "-" + machine.fabric->name;
    if (fabrics_.insert(name).second) {
      zone_.add_router(name + "-out");
      zone_.add_router(name + "-in");
      zone_.add_link(name, {machine.fabric->figures.delay, std::nullopt}, "SHARED");
      zone_.add_route(name + "-out", name + "-in", {name});
    }
    zone_.add_fabric_ways(machine, name + "-in", name + "-out");
  }

  void add_links_between_regions() {
    const char* sharing = cluster_.limit == BandwidthLimit::per_pair ? "FATPIPE" : "SHARED";
    for (std::size_t from = 0; from < cluster_.regions.size(); ++from)
      for (std::size_t to = 0; to < cluster_.regions.size(); ++to) {
        if (!joined(from, to)) continue;
        const std::string name = cluster_.regions[from] + ":" + cluster_.regions[to];
        zone_.add_link(name, cluster_.link(from, to), sharing);
        zone_.add_route(egress(from), ingress(to), {name});
      }
  }

  const Cluster& cluster_;
  std::vector<std::size_t> machines_in_;  // per region
  std::set<std::string> fabrics_;         // that are written
  PlatformZone zone_;
};

std::string head(const Cluster& cluster, const char* routing) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- Made from a cluster description by `longhaul platform build`: change that one, not this file. -->\n"
      "<platform version=\"4.1\">\n"
      "  <zone id=\"{}\" routing=\"{}\">\n"
      "    <prop id=\"source\" value=\"{}\"/>\n"
      "    <prop id=\"bandwidth_limit\" value=\"{}\"/>\n"
      "    <prop id=\"delay_is\" value=\"{}\"/>\n",
      xml_escaped(cluster.name), routing, xml_escaped(cluster.source), name_of(cluster.limit), cluster.delay);
}

}  // namespace

std::string platform_xml(const Cluster& cluster, std::size_t largest_zone) {
  std::size_t devices = 0;
  for (const Machine& machine : cluster.machines) devices += machine.devices;
  const bool small = devices <= largest_zone || cluster.machines.size() == 1;
  return (small ? head(cluster, "DijkstraCache") + GraphWriter(cluster).write()
                : head(cluster, "Full") + rack_zones(cluster)) +
         "  </zone>\n</platform>\n";
}

}  // namespace longhaul
