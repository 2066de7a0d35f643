// Large platforms: racks instead of one zone, paths by class instead of by pair.
#include <catch2/catch.hpp>

#include "sim/description/data_folder.hpp"
#include "tests/description/error_of.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

Cluster shipped(const std::string& name) {
  return read_cluster(std::string(LONGHAUL_SOURCE_DIR) + "/platforms/" + name + ".yaml");
}

std::string replaced(std::string text, const std::string& part, const std::string& replacement) {
  REQUIRE(text.find(part) != std::string::npos);
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += replacement.size())
    text.replace(at, part.size(), replacement);
  return text;
}

// Whether two views have the same devices in the same order, and between every two of them the same path.
void check_equal(const PlatformView& a, const PlatformView& b) {
  REQUIRE(a.size() == b.size());
  std::size_t different = 0;
  for (std::size_t from = 0; from < a.size(); ++from) {
    const DeviceId one(from);
    CHECK(a.device(one).name == b.device(one).name);
    CHECK(a.device(one).machine == b.device(one).machine);
    for (std::size_t to = 0; to < a.size(); ++to) {
      const Path &here = a.path(one, DeviceId(to)), &there = b.path(one, DeviceId(to));
      if (from != to && !(here.latency == there.latency && here.bandwidth == there.bandwidth)) ++different;
    }
  }
  CHECK(different == 0);
}

// Machines of all shapes, of two regions in turn.
Cluster mixed(BandwidthLimit limit) {
  Cluster cluster = test_cluster({6, 7, 1}, limit);
  for (std::size_t i = 0; i < cluster.between.size(); ++i)
    cluster.between[i].delay = Seconds(1 + static_cast<double>(i));
  std::swap(cluster.machines[1], cluster.machines[6]);
  std::swap(cluster.machines[3], cluster.machines[9]);
  for (std::size_t i = 0; i < cluster.machines.size(); i += 2) {
    cluster.machines[i].devices = 1 + i % 3;
    cluster.machines[i].inside = link_figures(0.5, 1000);
    cluster.machines[i].nic = Nic{BytesPerSecond(50), BytesPerSecond(60)};
  }
  return cluster;
}

constexpr BandwidthLimit limits[] = {BandwidthLimit::per_sender_and_class, BandwidthLimit::per_pair,
                                     BandwidthLimit::shared_trunk};

}  // namespace

TEST_CASE("racks have the paths of one zone: every shipped platform, every pair, as SimGrid routes it") {
  std::size_t seen = 0;
  for (const std::string& name : data_names("platforms", ".yaml")) {
    if (name == "device_types") continue;
    INFO(name);
    const PlatformView racks = load_in_racks(shipped(name)).view;
    CHECK(racks.paths().classes() < racks.size());
    check_equal(load_cluster(shipped(name)).view, racks);
    ++seen;
  }
  CHECK(seen == 14);
}

TEST_CASE("racks keep the order of devices and the paths of machines of all shapes, whatever limits them") {
  for (const BandwidthLimit limit : limits) {
    INFO(name_of(limit));
    check_equal(load_cluster(mixed(limit)).view, load_in_racks(mixed(limit)).view);
  }
}

TEST_CASE("paths by class are the paths that SimGrid gives for every pair") {
  for (const BandwidthLimit limit : limits) {
    const std::string xml = platform_xml(mixed(limit), 0);
    check_equal(load_xml(xml).view, load_xml(replaced(xml, "path_class", "ignored")).view);
  }
}

TEST_CASE("a platform of 4096 devices asks for one path per pair of classes, and its file grows with the devices") {
  Cluster cluster = test_cluster({128, 128, 128, 128}, BandwidthLimit::per_pair);
  for (Machine& machine : cluster.machines) {
    machine.devices = 8;
    machine.inside = link_figures(0.1, 1000);
  }
  const std::string xml = platform_xml(cluster);
  const PlatformView view = load_xml(xml).view;
  REQUIRE(view.size() == 4096);
  CHECK(view.paths().classes() == 4);
  CHECK(view.paths().between().size() == 16);
  CHECK(view.path(DeviceId(0), DeviceId(7)).latency == Seconds(0.1));
  CHECK(view.path(DeviceId(0), DeviceId(8)).latency == Seconds(1));
  CHECK(view.path(DeviceId(4095), DeviceId(0)).bandwidth == BytesPerSecond(100));
  cluster.machines.resize(128);
  cluster.machines.erase(cluster.machines.begin() + 32, cluster.machines.end());
  for (std::size_t region = 1; region < 4; ++region)
    for (std::size_t i = 0; i < 32; ++i) {
      cluster.machines.push_back(cluster.machines[i]);
      cluster.machines.back().region = region;
      cluster.machines.back().name = "r" + std::to_string(region) + "-" + std::to_string(i);
    }
  CHECK(xml.size() < 5 * platform_xml(cluster).size());
}

TEST_CASE("a large platform of somebody else says which hosts have the same paths, or is refused") {
  std::string hosts =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><cluster id=\"c\" prefix=\"n\" suffix=\"\" "
      "radical=\"0-2048\" speed=\"1Gf\" bw=\"1Gbps\" lat=\"1ms\"/></zone></platform>\n";
  CHECK_THAT(error_of([&] { load_xml(hosts); }), Contains("2049 hosts, not all with a property path_class"));
  hosts = replaced(hosts, "lat=\"1ms\"/>", "lat=\"1ms\"><prop id=\"path_class\" value=\"one\"/></cluster>");
  CHECK(load_xml(hosts).view.path(DeviceId(7), DeviceId(2048)).latency == Seconds(0.002));
}

TEST_CASE("a wrong path class is found") {
  const std::string xml = platform_xml(mixed(BandwidthLimit::per_pair), 0);
  CHECK_THAT(error_of([&] { load_xml(replaced(xml, "path_class\" value=\"r1", "path_class\" value=\"r0")); }),
             Contains("is not that of others with their path_class"));
  const std::string one = "value=\"3\"/><prop id=\"path_class\" value=\"";
  CHECK_THAT(error_of([&] { load_xml(replaced(xml, one, one + "x")); }),
             Contains("have different values of path_class (both stand in machine"));
}
