// Fabrics: which way messages take depends on what both ends are on.
#include <catch2/catch.hpp>

#include "sim/description/link_changes.hpp"
#include "sim/engine/simulate.hpp"
#include "tests/description/error_of.hpp"
#include "tests/description/routes.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

using Links = std::vector<std::string>;

// Two machines on one fabric, one on another, one on none, and one of another region on a fabric of the first one's name.
struct Description {
  std::string top = "name: c\nsource: s\nbandwidth_limit: per_pair\nbetween: {delay: 10 ms, bandwidth: 1 Gbps}\n";
  std::string inside = "inside: {delay: 1 ms, bandwidth: 10 Gbps}\n";
  std::string copy;
  std::string fabrics =
      "fabrics: {ib: {delay: 0.01 ms, bandwidth: 200 Gbps}, roce: {delay: 0.02 ms, bandwidth: 100 Gbps}}\n";
  std::string regions = "regions: [a, {name: b, fabric: ib}]\n";
  std::string machines =
      "machines:\n"
      "- {region: a, count: 2, devices: 2, device_type: T4-16GB, inside: {delay: 0 ms, bandwidth: 90 GB/s}, fabric: "
      "ib}\n"
      "- {region: a, device_type: T4-16GB, fabric: roce}\n"
      "- {region: a, device_type: T4-16GB}\n"
      "- {region: b, count: 2, device_type: T4-16GB}\n";

  Cluster read() const {
    const Scratch scratch;
    return read_cluster(scratch.write("cluster.yaml", top + inside + copy + fabrics + regions + machines));
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

double gigabits(const PlatformView& view, std::size_t from, std::size_t to) {
  return view.path(DeviceId(from), DeviceId(to)).bandwidth.value * 8 / 1e9;
}

double milliseconds(const PlatformView& view, std::size_t from, std::size_t to) {
  return view.path(DeviceId(from), DeviceId(to)).latency.value * 1e3;
}

}  // namespace

TEST_CASE("machines on one fabric use it, all others the ordinary links, devices of one machine neither") {
  const Cluster cluster = Description().read();
  for (const bool racks : {false, true}) {
    INFO("racks " << racks);
    const PlatformView view = (racks ? load_in_racks(cluster) : load_cluster(cluster)).view;
    const auto check = [&](std::size_t from, std::size_t to, double delay, double bandwidth) {
      INFO(view.device(DeviceId(from)).name << " to " << view.device(DeviceId(to)).name);
      CHECK(milliseconds(view, from, to) == Approx(delay));
      CHECK(milliseconds(view, to, from) == Approx(delay));
      CHECK(gigabits(view, from, to) == Approx(bandwidth));
      CHECK(gigabits(view, to, from) == Approx(bandwidth));
    };
    check(0, 1, 0, 720);     // one machine
    check(0, 2, 0.01, 200);  // InfiniBand
    check(1, 3, 0.01, 200);
    check(0, 4, 1, 10);  // InfiniBand and RoCE
    check(3, 5, 1, 10);  // InfiniBand and none
    check(4, 5, 1, 10);
    check(6, 7, 0.01, 200);  // the other region's own fabric
    check(0, 6, 10, 1);      // between regions, though both are called ib
  }
}

TEST_CASE(
    "devices of a machine share its card into the fabric, and copies through the host limit what goes elsewhere") {
  Description description;
  description.copy = "host_copy: 1 GB/s\n";
  const std::string xml = platform_xml(description.read());
  CHECK(route_links(xml, "a-0-gpu0", "a-1-gpu1") == Links{"a-0-fabric-up", "a-1-fabric-down", "a-ib*"});
  CHECK(route_links(xml, "a-0-gpu1", "a-2") ==
        Links{"a-0-gpu1-host-up", "a-2-host-down", "a:a*", "unlimited*", "unlimited*"});
  const PlatformView view = load_xml(xml).view;
  CHECK(gigabits(view, 0, 4) == Approx(8));
  CHECK(milliseconds(view, 0, 4) == Approx(1));
  CHECK(gigabits(view, 0, 2) == Approx(200));
  CHECK(gigabits(view, 0, 6) == Approx(1));
}

TEST_CASE("limiters at the sender and trunks know fabrics too, in racks as in one zone") {
  for (const BandwidthLimit limit : {BandwidthLimit::per_sender_and_class, BandwidthLimit::shared_trunk}) {
    Cluster cluster = Description().read();
    cluster.limit = limit;
    for (const bool racks : {false, true}) {
      const PlatformView view = (racks ? load_in_racks(cluster) : load_cluster(cluster)).view;
      CHECK(gigabits(view, 0, 2) == Approx(200));
      CHECK(milliseconds(view, 0, 2) == Approx(0.01));
      CHECK(gigabits(view, 2, 4) == Approx(10));
      CHECK(gigabits(view, 5, 3) == Approx(10));
      CHECK(milliseconds(view, 6, 3) == Approx(10));
    }
  }
}

TEST_CASE("a message takes the fabric's time, by SimGrid and by the fast evaluator") {
  const Platform platform = load_cluster(Description().read());
  for (const Engine engine : {Engine::simgrid, Engine::fast}) {
    TaskletGraphBuilder builder;
    for (const std::size_t target : {2U, 4U}) {  // one after the other from device 0
      Tasklet message;
      message.kind = TaskletKind::gradient_transfer;
      message.target = DeviceId(target);
      message.bytes = Bytes(1e9);
      builder.add(message);
    }
    const Timeline timeline = simulate(platform, builder.build(), {}, engine).timeline;
    CHECK((timeline.spans[0].finish - timeline.spans[0].start).value == Approx(8e9 / 200e9 + 1e-5));
    CHECK((timeline.spans[1].finish - timeline.spans[1].start).value == Approx(8e9 / 10e9 + 1e-3));
  }
}

TEST_CASE("a region whose machines all share a fabric needs no other links inside") {
  Description description;
  description.inside = "";
  description.regions = "regions: [{name: a, fabric: ib}, {name: b, fabric: roce}]\n";
  description.machines =
      "machines:\n- {region: a, count: 3, device_type: T4-16GB}\n- {region: b, count: 2, device_type: T4-16GB}\n";
  const PlatformView view = load_cluster(description.read()).view;
  CHECK(gigabits(view, 0, 2) == Approx(200));
  CHECK(gigabits(view, 3, 4) == Approx(100));
  CHECK(gigabits(view, 0, 3) == Approx(1));
}

TEST_CASE("fabrics are changed alone, with the inside of regions, and with everything") {
  const auto changed = [](const std::string& selector) {
    Cluster cluster = Description().read();
    change_links(cluster, Config::parse(selector + ": {bandwidth_factor: 2}", "links.yaml"));
    return load_cluster(cluster).view;
  };
  CHECK(gigabits(changed("fabrics"), 0, 2) == Approx(400));
  CHECK(gigabits(changed("fabrics"), 0, 4) == Approx(10));
  CHECK(gigabits(changed("a->a"), 0, 2) == Approx(400));
  CHECK(gigabits(changed("a->a"), 6, 7) == Approx(200));
  CHECK(gigabits(changed("a->a"), 0, 4) == Approx(20));
  CHECK(gigabits(changed("inside_regions"), 6, 7) == Approx(400));
  CHECK(gigabits(changed("all"), 6, 7) == Approx(400));
  CHECK(gigabits(changed("between_regions"), 0, 2) == Approx(200));
}

TEST_CASE("mistakes about fabrics are one line") {
  CHECK_THAT(message_with([](Description& d) { d.inside = ""; }),
             Contains("machines of region 'a' share no fabric") && Contains("accepted: inside: {delay"));
  CHECK_THAT(message_with([](Description& d) { d.regions = "regions: [a, {name: b, fabric: myrinet}]\n"; }),
             Contains("'myrinet' is not known") && Contains("none, ib, roce"));
  CHECK_THAT(message_with([](Description& d) { d.fabrics = ""; }), Contains("'ib' is not known"));
  CHECK_THAT(message_with([](Description& d) { d.fabrics = "fabrics: {ib: {delay: 1 ms}, roce: {delay: 1 ms}}\n"; }),
             Contains("key 'bandwidth' is missing"));
  CHECK_THAT(message_with([](Description& d) { d.fabrics.insert(10, "spare: {delay: 1 ms, bandwidth: 1 Gbps}, "); }),
             Contains("no machine is on fabric 'spare'"));
  CHECK_THAT(message_with([](Description& d) { d.fabrics.insert(10, "none: {delay: 1 ms, bandwidth: 1 Gbps}, "); }),
             Contains("'none' cannot name a fabric"));
  CHECK_THAT(message_with([](Description& d) { d.copy = "host_copy: 12\n"; }), Contains("has no unit"));
  CHECK_THAT(message_with([](Description& d) { d.machines += "- {region: b, device_type: T4-16GB, fabric: 7}\n"; }),
             Contains("'7' is not known"));
}
