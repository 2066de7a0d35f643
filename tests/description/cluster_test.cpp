#include "sim/description/cluster.hpp"

#include <catch2/catch.hpp>

#include "tests/description/error_of.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

const std::string table_head =
    "# source: somebody\n# licence: MIT\n# date: 2022\n# tool: ping\n# delay_kind: ping\n"
    "from,to,delay_ms,bandwidth_gbps\n";

// A good description of two regions in the lines that the tests change.
struct Description {
  std::string top = "name: c\nsource: s\n";
  std::string limit = "bandwidth_limit: per_pair\n";
  std::string links = "measurements: table.csv\ndelay_is: one_way\ndirection: both_ways\n";
  std::string inside = "inside: {delay: 1 ms, bandwidth: 2 Gbps}\n";
  std::string nic;
  std::string regions = "regions: [a, b]\n";
  std::string machines =
      "machines:\n- {region: a, count: 2, device_type: T4-16GB}\n- {region: b, device_type: T4-16GB}\n";
  std::string table = table_head + "a,b,10,0.5\n";

  Cluster read() const {
    const Scratch scratch;
    scratch.write("table.csv", table);
    return read_cluster(scratch.write("cluster.yaml", top + limit + links + inside + nic + regions + machines));
  }
  std::string message() const {
    return error_of([this] { read(); });
  }
};

template <class Change>
std::string message_with(Change change) {
  Description description;
  change(description);
  return description.message();
}

std::string with_regions(const std::string& regions) {
  return message_with([&](Description& d) { d.regions = regions; });
}
std::string with_machines(const std::string& machines) {
  return message_with([&](Description& d) { d.machines = "machines:\n" + machines; });
}
std::string with_links(const std::string& links) {
  return message_with([&](Description& d) { d.links = links; });
}
std::string with_table(const std::string& rows, const std::string& direction) {
  return message_with([&](Description& d) {
    d.table = table_head + rows;
    d.links = "measurements: table.csv\ndelay_is: one_way\ndirection: " + direction + "\n";
  });
}

}  // namespace

TEST_CASE("a cluster is what its description and its measurements say") {
  const Cluster cluster = Description().read();
  CHECK(cluster.name == "c");
  CHECK(cluster.regions == std::vector<std::string>{"a", "b"});
  REQUIRE(cluster.machines.size() == 3);
  CHECK(cluster.machines[1].name == "a-1");
  CHECK(cluster.machines[2].name == "b-0");
  CHECK(cluster.machines[2].region == 1);
  CHECK_FALSE(cluster.machines[0].nic.has_value());
  CHECK(cluster.link(0, 1).delay == Seconds(0.01));
  CHECK(cluster.link(1, 0).delay == Seconds(0.01));
  CHECK(cluster.link(1, 0).bandwidth == BytesPerSecond(0.5e9 / 8));
  CHECK(cluster.link(0, 0).delay == Seconds(0.001));
}

TEST_CASE("round trips are halved, directed tables keep their directions") {
  Description description;
  description.links = "measurements: table.csv\ndelay_is: round_trip\ndirection: as_measured\n";
  description.table = table_head + "a,b,10,0.5\nb,a,30,0.25\n";
  const Cluster cluster = description.read();
  CHECK(cluster.delay == "round_trip");
  CHECK(cluster.link(0, 1).delay == Seconds(0.005));
  CHECK(cluster.link(1, 0).delay == Seconds(0.015));
  CHECK(cluster.link(1, 0).bandwidth == BytesPerSecond(0.25e9 / 8));
}

TEST_CASE("between gives every pair of regions the same link, a region's own inside wins over the common one") {
  Description description;
  description.links = "between: {delay: 50 ms, bandwidth: 1 Gbps}\n";
  description.regions = "regions: [{name: a, inside: {delay: 2 ms}}, b]\n";
  description.nic = "nic: {up: 10 Gbps, down: 5 Gbps}\n";
  const Cluster cluster = description.read();
  CHECK(cluster.link(0, 1).delay == Seconds(0.05));
  CHECK(cluster.link(1, 0).bandwidth == BytesPerSecond(1e9 / 8));
  CHECK(cluster.link(0, 0).delay == Seconds(0.002));
  CHECK_FALSE(cluster.link(0, 0).bandwidth.has_value());
  REQUIRE(cluster.machines[2].nic.has_value());
  CHECK(cluster.machines[2].nic->down == BytesPerSecond(5e9 / 8));
}

TEST_CASE("a block of machines can be repeated, numbering goes on") {
  Description description;
  description.machines =
      "machines:\n- repeat: 2\n  machines:\n  - {region: a, count: 2, device_type: T4-16GB}\n"
      "  - {region: b, devices: 4, device_type: L4-24GB, inside: {delay: 0 s, bandwidth: 9 GB/s},"
      " nic: {up: 1 Gbps, down: 2 Gbps}}\n";
  const Cluster cluster = description.read();
  std::vector<std::string> names;
  for (const Machine& machine : cluster.machines)
    for (std::size_t i = 0; i < machine.devices; ++i) names.push_back(device_name(machine, i));
  CHECK(names == std::vector<std::string>{"a-0", "a-1", "b-0-gpu0", "b-0-gpu1", "b-0-gpu2", "b-0-gpu3", "a-2", "a-3",
                                          "b-1-gpu0", "b-1-gpu1", "b-1-gpu2", "b-1-gpu3"});
  CHECK(cluster.machines[2].device_type == "L4-24GB");
  CHECK(cluster.machines[2].inside.bandwidth == BytesPerSecond(9e9));
  CHECK(cluster.machines[2].nic->up == BytesPerSecond(1e9 / 8));
}

TEST_CASE("mistakes about regions are errors at their place") {
  CHECK_THAT(with_regions("regions: []\n"), Contains("cluster.yaml:8:10: regions: there are no regions"));
  CHECK_THAT(with_regions("regions: [a, b, b]\n"),
             Contains("cluster.yaml:8:17: regions[2]: region 'b' appears twice"));
  CHECK_THAT(with_regions("regions: [a, b, c]\n"),
             Contains("regions[2]: no machine stands in region 'c' (it is unused)"));
  CHECK_THAT(with_regions("regions: [a, 'b c']\n"), Contains("'b c' cannot name a region"));
  CHECK_THAT(with_regions("regions: [{name: a, city: x}, b]\n"), Contains("unknown key 'city' in regions[0]"));
  CHECK_THAT(with_regions("regions: [a, {inside: {delay: 1 ms}}]\n"), Contains("regions[1]: key 'name' is missing"));
  CHECK_THAT(message_with([](Description& d) { d.inside = ""; }),
             Contains("region 'a' has 2 machines and no figures for the links between them"));
  CHECK_THAT(message_with([](Description& d) { d.table = table_head + "a,c,10,0.5\n"; }),
             Contains("regions[1]: region 'b' was not measured (no row of "));
}

TEST_CASE("mistakes about machines are errors at their place") {
  const auto machine = [](const std::string& rest) {
    return with_machines("- {region: a, device_type: T4-16GB" + rest + "}\n");
  };
  CHECK_THAT(with_machines("- {region: c, device_type: T4-16GB}\n"),
             Contains("cluster.yaml:10:12: machines[0].region: 'c' is not known; accepted: a, b"));
  CHECK_THAT(with_machines("- {region: a, device_type: T5}\n"),
             Contains("device_type: 'T5' is not known; accepted: V100"));
  CHECK_THAT(with_machines("  []\n"), Contains("machines: there are no machines"));
  CHECK_THAT(with_machines("- {repeat: 3, machines: []}\n"), Contains("machines[0].machines: there are no machines"));
  CHECK_THAT(with_machines("- {repeat: 3, region: a, machines: [{region: a, device_type: T4-16GB}]}\n"),
             Contains("no machine stands in region 'b'"));
  CHECK_THAT(machine(", count: 0"), Contains("count: 0 is out of range"));
  CHECK_THAT(machine(", count: 1000000000"),
             Contains("count: 1000000000 is out of range; accepted: a whole number from 1"));
  CHECK_THAT(machine(", count: 99999999999999999999"), Contains("count: 99999999999999999999 is out of range"));
  CHECK_THAT(machine(", count: -1"), Contains("count: -1 is out of range"));
  CHECK_THAT(machine(", count: 1.5"), Contains("count: '1.5' is not a whole number"));
  CHECK_THAT(machine(", count: 65536, devices: 65536"), Contains("machines[0]: 4294967296 devices so far") &&
                                                            Contains("accepted: at most 65536 devices in all"));
  CHECK_THAT(with_machines("- {repeat: 65536, machines: [{region: a, count: 2, device_type: T4-16GB}]}\n"),
             Contains("65538 devices so far"));
  CHECK_THAT(machine(", devices: 2"), Contains("machines[0]: key 'inside' is missing (it joins the 2 devices"));
  CHECK_THAT(machine(", devices: 2, inside: {delay: 0 s}"),
             Contains("machines[0].inside: key 'bandwidth' is missing"));
  CHECK_THAT(machine(", inside: {delay: 0 s, bandwidth: 1 Gbps}"), Contains("links inside a machine of one device"));
  CHECK_THAT(machine(", nic: {up: 1 Gbps}"), Contains("machines[0].nic: key 'down' is missing"));
  CHECK_THAT(machine(", nic: {up: 0 Gbps, down: 1 Gbps}"), Contains("machines[0].nic.up: '0 Gbps' is zero"));
  CHECK_THAT(machine(", nic: {up: 1001 Tbps, down: 1 Gbps}"), Contains("'1001 Tbps' is more than any link carries"));
  CHECK_THAT(machine("}\n- {region: b, device_type: T4-16GB, speed: 3"),
             Contains("unknown key 'speed' in machines[1]"));
}

TEST_CASE("mistakes about links are errors at their place") {
  CHECK_THAT(with_links(""), Contains("links between the regions are missing"));
  CHECK_THAT(with_links("measurements: no.csv\ndelay_is: one_way\ndirection: both_ways\n"),
             Contains("cannot open the file"));
  CHECK_THAT(with_links("measurements: table.csv\ndirection: both_ways\n"), Contains("key 'delay_is' is missing"));
  CHECK_THAT(with_links("measurements: table.csv\ndelay_is: half\ndirection: both_ways\n"),
             Contains("delay_is: 'half' is not known"));
  CHECK_THAT(with_links("measurements: table.csv\ndelay_is: one_way\n"), Contains("key 'direction' is missing"));
  CHECK_THAT(with_links("measurements: table.csv\nbetween: {delay: 1 ms}\n"),
             Contains("measurements or between, not both"));
  CHECK_THAT(with_links("between: {delay: 1, bandwidth: 1 Gbps}\n"), Contains("between.delay: '1' has no unit"));
  CHECK_THAT(with_links("between: {delay: -1 ms, bandwidth: 1 Gbps}\n"),
             Contains("between.delay: '-1 ms' is negative"));
  CHECK_THAT(with_links("between: {delay: 1 ms, bandwidth: 1 GB}\n"),
             Contains("between.bandwidth: cannot read '1 GB'"));
  CHECK_THAT(with_links("between: {delay: 1 ms, bandwidth: 1 Gbps}\ndelay_is: one_way\n"),
             Contains("unknown key 'delay_is'"));
  CHECK_THAT(with_links("between: {delay: 1 ms}\n"),
             Contains("machines: nothing limits the bandwidth from 'a' to 'b'"));
  CHECK_THAT(message_with([](Description& d) { d.inside = "inside: {delay: 1 ms}\n"; }),
             Contains("nothing limits the bandwidth from 'a' to 'a'"));
  CHECK_THAT(with_table("a,b,1,2\nb,c,1,2\n", "as_measured"),
             Contains("cluster.yaml:4:15: measurements: no row b,a in ") && Contains("direction is as_measured"));
  CHECK_THAT(with_table("a,c,1,2\nb,c,1,2\n", "both_ways"), Contains("no row a,b or b,a in "));
  CHECK_THAT(with_table("a,b,1,2\nb,a,1,2\n", "both_ways"), Contains("both a,b and b,a in "));
  CHECK_THAT(with_table("a,b,1,1e9\n", "both_ways"), Contains("has more than 1000 Tbps"));
  CHECK_THAT(with_table("a,b,1,0\n", "both_ways"), Contains("table.csv:7:7: bandwidth_gbps '0' is zero"));
  CHECK_THAT(message_with([](Description& d) {
               d.regions = "regions: [a]\n";
               d.machines = "machines: [{region: a, device_type: T4-16GB}]\n";
             }),
             Contains("measurements: there is only one region"));
}

TEST_CASE("mistakes in the head of a cluster description are errors") {
  CHECK_THAT(message_with([](Description& d) { d.top = "source: s\n"; }), Contains("key 'name' is missing"));
  CHECK_THAT(message_with([](Description& d) { d.top = "name: c\n"; }), Contains("key 'source' is missing"));
  CHECK_THAT(message_with([](Description& d) { d.top = "name: a/b\nsource: s\n"; }),
             Contains("'a/b' cannot name the cluster"));
  CHECK_THAT(message_with([](Description& d) { d.top += "colour: red\n"; }),
             Contains("cluster.yaml:3:1: unknown key 'colour'"));
  CHECK_THAT(message_with([](Description& d) { d.limit = "bandwidth_limit: none\n"; }),
             Contains("'none' is not known; accepted: per_sender_and_class, per_pair, shared_trunk"));
  CHECK_THAT(message_with([](Description& d) { d.nic = "nic: 10 Gbps\n"; }), Contains("nic: not a map"));
}
