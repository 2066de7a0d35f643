#include "sim/description/platform_racks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/description/platform_zone.hpp"

namespace longhaul {
namespace {

// Machines of one region, all on one fabric or none on any.
struct Rack {
  std::string name;
  std::size_t region = 0;
  std::size_t devices = 0;
  std::vector<std::size_t> machines;  // indices into the cluster's
  std::optional<Fabric> fabric = std::nullopt;
};

std::string fabric_name(const std::optional<Fabric>& fabric) { return fabric ? fabric->name : ""; }

// The names of a region's fabrics as its machines name them, with an empty one for those on none.
std::vector<std::string> fabrics_of(const Cluster& cluster, std::size_t region) {
  std::vector<std::string> names;
  for (const Machine& machine : cluster.machines) {
    const std::string name = fabric_name(machine.fabric);
    if (machine.region == region && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<Rack> racks_of(const Cluster& cluster) {
  std::size_t devices = 0;
  for (const Machine& machine : cluster.machines) devices += machine.devices;
  const auto enough = static_cast<std::size_t>(std::sqrt(devices));
  std::vector<Rack> racks;
  for (std::size_t region = 0; region < cluster.regions.size(); ++region) {
    std::size_t in_region = 0;
    for (const std::string& fabric : fabrics_of(cluster, region)) {
      bool begins = true;
      for (std::size_t i = 0; i < cluster.machines.size(); ++i) {
        const Machine& machine = cluster.machines[i];
        if (machine.region != region || fabric_name(machine.fabric) != fabric) continue;
        if (begins || racks.back().devices >= enough)
          racks.push_back(
              {fmt::format("{}-rack{}", cluster.regions[region], in_region++), region, 0, {}, machine.fabric});
        begins = false;
        racks.back().machines.push_back(i);
        racks.back().devices += machine.devices;
      }
    }
  }
  return racks;
}

class RackWriter {
 public:
  explicit RackWriter(const Cluster& cluster) : cluster_(cluster), racks_(racks_of(cluster)) {
    std::size_t devices = 0;
    for (const Machine& machine : cluster.machines) {
      first_device_.push_back(devices);
      devices += machine.devices;
      path_class_.push_back(path_class(machine));
    }
  }

  std::string write() {
    std::string zones, routes;
    for (const Rack& rack : racks_) {
      zones += rack_zone(rack);
      for (const Rack& other : racks_)
        if (rack.name != other.name) routes += zone_route(rack, other);
    }
    // Zones, links, routes: the only order that SimGrid reads.
    return fmt::format("    <zone id=\"{}-links\" routing=\"None\">\n{}    </zone>\n", cluster_.name, inside_racks_) +
           zones + links_.text() + routes;
  }

 private:
  bool limited_by_sender() const { return cluster_.limit == BandwidthLimit::per_sender_and_class; }

  // Machines of one region with the same card and the same inside, numbered within the region.
  std::string path_class(const Machine& machine) {
    const auto figures = [](const Machine& one) {
      const auto bandwidth = one.inside.bandwidth.value_or(BytesPerSecond());
      const Nic nic = one.nic.value_or(Nic{});
      const Fabric fabric = one.fabric.value_or(Fabric{});
      return std::make_tuple(one.region, one.devices > 1, one.inside.delay.value, bandwidth.value, nic.up.value,
                             nic.down.value, fabric.name, one.host_copy.value_or(BytesPerSecond()).value);
    };
    std::size_t number = 0;
    for (const Machine& known : shapes_) {
      if (figures(known) == figures(machine)) return fmt::format("{}-{}", cluster_.regions[machine.region], number);
      if (known.region == machine.region) ++number;
    }
    shapes_.push_back(machine);
    return fmt::format("{}-{}", cluster_.regions[machine.region], number);
  }

  static bool share_fabric(const Rack& a, const Rack& b) {
    return a.region == b.region && a.fabric && fabric_name(a.fabric) == fabric_name(b.fabric);
  }

  // With limiters a way out for each region, and the one to its own region is also the way in.
  Doors doors_of(const Rack& rack) const {
    Doors doors{rack.name + "-in", std::vector<std::string>(cluster_.regions.size(), rack.name + "-out")};
    if (!limited_by_sender()) return doors;
    for (std::size_t region = 0; region < doors.out.size(); ++region)
      doors.out[region] =
          region == rack.region ? doors.in : fmt::format("{}-to-{}", rack.name, cluster_.regions[region]);
    return doors;
  }

  std::string rack_zone(const Rack& rack) {
    PlatformZone zone(cluster_, rack.name + "-unlimited");
    const Doors doors = doors_of(rack);
    for (const std::size_t i : rack.machines)
      for (std::size_t device = 0; device < cluster_.machines[i].devices; ++device)
        zone.add_device(cluster_.machines[i], device,
                        xml_property("number", std::to_string(first_device_[i] + device)) +
                            xml_property("path_class", path_class_[i]));
    zone.add_router(doors.in);
    if (limited_by_sender()) {
      for (const std::string& out : doors.out)
        if (out != doors.in) zone.add_router(out);
    } else {
      zone.add_router(doors.out.front());
      // also where one machine never uses it: SimGrid 3.32 may loop for ever in a zone with a node that cannot be reached
      zone.add_route(doors.out.front(), doors.in, {crossing(rack, rack, zone)});
    }
    if (rack.fabric) {
      zone.add_router(rack.name + "-fabric-in");
      zone.add_router(rack.name + "-fabric-out");
      zone.add_route(rack.name + "-fabric-out", rack.name + "-fabric-in", {fabric_link(rack, rack, zone)});
    }
    for (const std::size_t i : rack.machines) {
      const Machine& machine = cluster_.machines[i];
      if (machine.devices > 1) zone.add_inside(machine);
      zone.add_ways(machine, doors);
      if (rack.fabric) zone.add_fabric_ways(machine, rack.name + "-fabric-in", rack.name + "-fabric-out");
    }
    inside_racks_ += zone.links();
    return fmt::format("    <zone id=\"{}\" routing=\"DijkstraCache\">\n{}{}    </zone>\n", rack.name, zone.hosts(),
                       zone.routes());
  }

  // The link between two racks, or between the machines of one; a trunk is written where it is first used. Flows that share
  // a link are solved together, so that every two racks have their own wherever nothing is shared.
  std::string crossing(const Rack& from, const Rack& to, PlatformZone& zone) {
    const bool trunk = cluster_.limit == BandwidthLimit::shared_trunk;
    const LinkFigures figures = limited_by_sender() ? LinkFigures{} : cluster_.link(from.region, to.region);
    std::string name =
        trunk ? cluster_.regions[from.region] + ":" + cluster_.regions[to.region] : from.name + ":" + to.name;
    if (!trunk || trunks_.insert(name).second) zone.add_link(name, figures, trunk ? "SHARED" : "FATPIPE");
    return name;
  }

  // What carries a fabric's delay between two racks, or inside one.
  std::string fabric_link(const Rack& from, const Rack& to, PlatformZone& zone) {
    std::string name = fmt::format("{}:{}:{}", from.name, fabric_name(from.fabric), to.name);
    zone.add_link(name, {from.fabric->figures.delay, std::nullopt}, "SHARED");
    return name;
  }

  std::string zone_route(const Rack& from, const Rack& to) {
    if (share_fabric(from, to))
      return fmt::format(
          "    <zoneRoute src=\"{}\" dst=\"{}\" gw_src=\"{}-fabric-out\" gw_dst=\"{}-fabric-in\" "
          "symmetrical=\"NO\"><link_ctn id=\"{}\"/></zoneRoute>\n",
          from.name, to.name, from.name, to.name, fabric_link(from, to, links_));
    return fmt::format(
        "    <zoneRoute src=\"{}\" dst=\"{}\" gw_src=\"{}\" gw_dst=\"{}\" symmetrical=\"NO\"><link_ctn id=\"{}\"/>"
        "</zoneRoute>\n",
        from.name, to.name, doors_of(from).out[to.region], doors_of(to).in, crossing(from, to, links_));
  }

  const Cluster& cluster_;
  std::vector<Rack> racks_;
  std::vector<std::size_t> first_device_;  // of each machine
  std::vector<std::string> path_class_;    // of each machine
  std::vector<Machine> shapes_;            // one of each kind
  std::set<std::string> trunks_;           // that are written
  std::string inside_racks_;  // links of the racks, in a zone of their own: SimGrid looks for a link zone by zone
  PlatformZone links_{cluster_, ""};  // between racks
};

}  // namespace

std::string rack_zones(const Cluster& cluster) { return RackWriter(cluster).write(); }

}  // namespace longhaul
