// The text of one zone of a SimGrid platform file: devices, switches, links, and the routes between them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/description/cluster.hpp"
#include "sim/description/device_type.hpp"

namespace longhaul {

/// A delay as SimGrid reads it, such as "67ms"; it reads back as the very double.
std::string xml_delay(Seconds delay);
/// The same for a bandwidth, such as "0.79Gbps".
std::string xml_bandwidth(BytesPerSecond rate);

std::string xml_property(const char* name, const std::string& value);

/// Where a machine's messages leave its zone and where they enter it: names of routers.
struct Doors {
  std::string in;
  std::vector<std::string> out;  // towards each region, empty where nothing goes; the same for all without limiters
};

class PlatformZone {
 public:
  /// `unlimited` names the zone's link that stands where there is no card.
  PlatformZone(const Cluster& cluster, std::string unlimited)
      : cluster_(cluster), unlimited_(std::move(unlimited)), types_(device_types()) {}

  /// Device `device` of a machine, with `more` properties as XML.
  void add_device(const Machine& machine, std::size_t device, const std::string& more);
  void add_router(const std::string& name);
  /// A switch and a link each way per device.
  void add_inside(const Machine& machine);
  /// The way to the machine's fabric from `out` on and from it to `in`, over its card.
  void add_fabric_ways(const Machine& machine, const std::string& in, const std::string& out);
  /// The machine's card, its limiters, and its devices' routes to and from the doors.
  void add_ways(const Machine& machine, const Doors& doors);
  /// Without a bandwidth the link limits nothing, however many share it.
  void add_link(const std::string& name, const LinkFigures& figures, const char* sharing);
  void add_route(const std::string& from, const std::string& to, const std::vector<std::string>& links);

  const std::string& hosts() const { return hosts_; }
  const std::string& links() const { return links_; }
  const std::string& routes() const { return routes_; }
  std::string text() const { return hosts_ + links_ + routes_; }

 private:
  std::vector<std::string> host_copy(const Machine& machine, std::size_t device, const char* way);
  std::vector<std::string> add_limiters(const Machine& machine, const Doors& doors);

  const Cluster& cluster_;
  std::string unlimited_;
  std::vector<DeviceType> types_;
  std::string hosts_, links_, routes_;
  bool has_unlimited_ = false;
  bool has_detour_ = false;
};

}  // namespace longhaul
