#include "sim/description/platform_xml.hpp"

#include <catch2/catch.hpp>

#include "sim/description/platform_loader.hpp"
#include "sim/description/quantity.hpp"
#include "tests/description/routes.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

using Links = std::vector<std::string>;

const Nic ten_gigabits{BytesPerSecond(1.25e9), BytesPerSecond(1.25e9)};

// Regions a (machines a-0 and a-1 of one GPU) and b, c (one machine of two GPUs each).
Cluster example(BandwidthLimit limit) {
  Cluster cluster;
  cluster.name = "example";
  cluster.source = "a & b, \"c\" < d";
  cluster.delay = "one_way";
  cluster.limit = limit;
  cluster.regions = {"a", "b", "c"};
  const LinkFigures nvlink{Seconds(0), BytesPerSecond(150e9)};
  cluster.machines = {{"a-0", 0, "T4-16GB", 1, {}, ten_gigabits},
                      {"a-1", 0, "T4-16GB", 1, {}, ten_gigabits},
                      {"b-0", 1, "T4-16GB", 2, nvlink, ten_gigabits},
                      {"c-0", 2, "MI250", 2, nvlink, ten_gigabits}};
  cluster.between.assign(9, {Seconds(0.01), BytesPerSecond(1e9 / 8)});
  cluster.between[0 * 3 + 2].delay = Seconds(0.02);
  return cluster;
}

// In a scratch file, through the loader.
Platform loaded(const Cluster& cluster) {
  const Scratch scratch;
  return load_platform(scratch.write("platform.xml", platform_xml(cluster)));
}

}  // namespace

TEST_CASE("per sender: destinations of one class share the sender's limiter, other senders and classes do not") {
  const std::string xml = platform_xml(example(BandwidthLimit::per_sender_and_class));
  CHECK(route_links(xml, "a-0", "a-1") == Links{"a-0-limit-10ms-1Gbps", "a-0-nic-up", "a-1-nic-down"});
  CHECK(route_links(xml, "a-0", "b-0-gpu0") == Links{"a-0-limit-10ms-1Gbps", "a-0-nic-up", "b-0-nic-down"});
  CHECK(route_links(xml, "a-0", "c-0-gpu1") == Links{"a-0-limit-20ms-1Gbps", "a-0-nic-up", "c-0-nic-down"});
  CHECK(route_links(xml, "a-1", "b-0-gpu1") == Links{"a-1-limit-10ms-1Gbps", "a-1-nic-up", "b-0-nic-down"});
  CHECK(route_links(xml, "b-0-gpu1", "c-0-gpu0") == Links{"b-0-limit-10ms-1Gbps", "b-0-nic-up", "c-0-nic-down"});
}

TEST_CASE("per pair: only NICs are shared") {
  const std::string xml = platform_xml(example(BandwidthLimit::per_pair));
  CHECK(route_links(xml, "a-0", "a-1") == Links{"a-0-nic-up", "a-1-nic-down", "a:a*"});
  CHECK(route_links(xml, "b-0-gpu1", "a-1") == Links{"a-1-nic-down", "b-0-nic-up", "b:a*"});
}

TEST_CASE("trunk: all flows from one region to another share a link, directions do not") {
  const std::string xml = platform_xml(example(BandwidthLimit::shared_trunk));
  CHECK(route_links(xml, "a-0", "b-0-gpu0") == Links{"a-0-nic-up", "a:b", "b-0-nic-down"});
  CHECK(route_links(xml, "a-1", "b-0-gpu1") == Links{"a-1-nic-up", "a:b", "b-0-nic-down"});
  CHECK(route_links(xml, "b-0-gpu1", "a-1") == Links{"a-1-nic-down", "b-0-nic-up", "b:a"});
}

TEST_CASE("devices of one machine talk over its own links whatever limits the others") {
  for (const BandwidthLimit limit :
       {BandwidthLimit::per_sender_and_class, BandwidthLimit::per_pair, BandwidthLimit::shared_trunk}) {
    Cluster cluster = example(limit);
    const Links inside{"b-0-gpu0-inside-up", "b-0-gpu1-inside-down"};
    CHECK(route_links(platform_xml(cluster), "b-0-gpu0", "b-0-gpu1") == inside);
    for (Machine& machine : cluster.machines) machine.nic.reset();
    CHECK(route_links(platform_xml(cluster), "b-0-gpu0", "b-0-gpu1") == inside);
  }
}

TEST_CASE("where there is no NIC or no bandwidth a link that nobody shares stands in") {
  Cluster cluster = example(BandwidthLimit::shared_trunk);
  cluster.between[0 * 3 + 1].bandwidth.reset();
  cluster.machines[0].nic.reset();
  const Platform platform = loaded(cluster);
  CHECK(route_links(platform.xml, "a-0", "b-0-gpu0") == Links{"a:b*", "b-0-nic-down", "unlimited*"});
  CHECK(route_links(platform.xml, "b-0-gpu0", "a-0") == Links{"b-0-nic-up", "b:a", "unlimited*"});
  CHECK(platform.view.path(DeviceId(0), DeviceId(2)).bandwidth == ten_gigabits.down);
  CHECK(platform.view.path(DeviceId(0), DeviceId(2)).latency == Seconds(0.01));
}

TEST_CASE("the view of a cluster has its devices in order and its figures") {
  const PlatformView view = loaded(example(BandwidthLimit::per_sender_and_class)).view;
  CHECK(view.name() == "example");
  REQUIRE(view.size() == 6);
  const Device& device = view.device(DeviceId(3));
  CHECK(device.name == "b-0-gpu1");
  CHECK(device.type == "T4-16GB");
  CHECK(device.region == "b");
  CHECK(device.machine == "b-0");
  CHECK(device.memory == Bytes(16e9));
  CHECK(device.peak == FlopsPerSecond(65e12));
  CHECK(view.device(DeviceId(5)).memory == Bytes(0));  // MI250: unknown
  CHECK(view.same_machine(DeviceId(2), DeviceId(3)));
  CHECK_FALSE(view.same_machine(DeviceId(0), DeviceId(1)));
}

TEST_CASE("every figure comes back from SimGrid as the very same double") {
  for (const char* delay :
       {"67 ms", "33.5 ms", "0.1 ms", "11 ms", "12.345678901234 ms", "7 us", "3 ns", "1 s", "0 s", "29 ms"})
    for (const char* rate :
         {"0.79 Gbps", "1.14 Gbps", "0.341 Gbps", "150 GB/s", "3.125 Gbps", "1 GiB/s", "17 B/s", "1 bps"}) {
      Cluster cluster = example(BandwidthLimit::per_sender_and_class);
      const Seconds latency(parse_quantity(delay, Dimension::duration).value());
      const BytesPerSecond bandwidth(parse_quantity(rate, Dimension::bandwidth).value());
      cluster.between[1] = {latency, bandwidth};
      for (Machine& machine : cluster.machines) machine.nic.reset();
      const Path path = loaded(cluster).view.path(DeviceId(0), DeviceId(2));
      INFO(delay << " " << rate);
      CHECK(path.latency == latency);
      CHECK(path.bandwidth == bandwidth);
    }
}

TEST_CASE("the XML says where it comes from and escapes what it quotes") {
  const std::string xml = platform_xml(example(BandwidthLimit::per_pair));
  CHECK_THAT(xml, Contains("<prop id=\"source\" value=\"a &amp; b, &quot;c&quot; &lt; d\"/>"));
  CHECK_THAT(xml, Contains("<prop id=\"bandwidth_limit\" value=\"per_pair\"/>"));
  CHECK_THAT(xml, Contains("<prop id=\"delay_is\" value=\"one_way\"/>"));
}

TEST_CASE("one machine alone, and one device alone, are platforms too") {
  Cluster cluster = example(BandwidthLimit::per_pair);
  cluster.regions = {"b"};
  cluster.machines = {cluster.machines[2]};
  cluster.machines[0].region = 0;
  cluster.between.resize(1);
  CHECK(loaded(cluster).view.path(DeviceId(0), DeviceId(1)).bandwidth == BytesPerSecond(150e9));
  cluster.machines[0].devices = 1;
  CHECK(loaded(cluster).view.size() == 1);
}
