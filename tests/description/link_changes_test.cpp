#include "sim/description/link_changes.hpp"

#include <catch2/catch.hpp>

#include "sim/description/platform_xml.hpp"
#include "tests/description/error_of.hpp"
#include "tests/description/routes.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

constexpr double gigabit = 1e9 / 8;

// Regions a, b, c with one machine each, b's of two devices; 1 Gbps and 10 ms everywhere.
Cluster example(BandwidthLimit limit = BandwidthLimit::per_pair) {
  Cluster cluster;
  cluster.name = cluster.source = "example";
  cluster.delay = "one_way";
  cluster.limit = limit;
  cluster.regions = {"a", "b", "c"};
  const Nic nic{BytesPerSecond(10 * gigabit), BytesPerSecond(10 * gigabit)};
  const LinkFigures nvlink{Seconds(1e-5), BytesPerSecond(150e9)};
  cluster.machines = {
      {"a-0", 0, "T4-16GB", 1, {}, nic}, {"b-0", 1, "T4-16GB", 2, nvlink, nic}, {"c-0", 2, "T4-16GB", 1, {}, nic}};
  cluster.between.assign(9, {Seconds(0.01), BytesPerSecond(gigabit)});
  return cluster;
}

Cluster changed(const std::string& changes, Cluster cluster = example()) {
  change_links(cluster, Config::parse(changes, "links.yaml"));
  return cluster;
}

double gigabits(const Cluster& cluster, std::size_t from, std::size_t to) {
  return cluster.link(from, to).bandwidth->value / gigabit;
}

}  // namespace

TEST_CASE("a directed pair, an egress, an ingress and a region's inside are changed alone") {
  const Cluster pair = changed("a->b: {bandwidth_factor: 2}");
  const Cluster egress = changed("b->*: {bandwidth: 3 Gbps}");
  const Cluster ingress = changed("'*->c': {delay: 70 ms}");
  const Cluster inside = changed("c->c: {delay_factor: 0.5}");
  for (std::size_t from = 0; from < 3; ++from)
    for (std::size_t to = 0; to < 3; ++to) {
      CHECK(gigabits(pair, from, to) == Approx(from == 0 && to == 1 ? 2 : 1));
      CHECK(gigabits(egress, from, to) == Approx(from == 1 && to != 1 ? 3 : 1));
      CHECK(ingress.link(from, to).delay.value == Approx(from != 2 && to == 2 ? 0.07 : 0.01));
      CHECK(inside.link(from, to).delay.value == Approx(from == 2 && to == 2 ? 0.005 : 0.01));
    }
}

TEST_CASE("each class of links is changed alone, and all of them by 'all'") {
  struct Expected {
    const char* selector;
    double between, inside_region, inside_machine, nic;
  };
  const Expected expected =
      GENERATE(Expected{"between_regions", 2, 1, 1, 1}, Expected{"inside_regions", 1, 2, 1, 1},
               Expected{"inside_machines", 1, 1, 2, 1}, Expected{"nics", 1, 1, 1, 2}, Expected{"all", 2, 2, 2, 2});
  const Cluster cluster = changed(std::string(expected.selector) + ": {bandwidth_factor: 2}");
  CHECK(gigabits(cluster, 0, 1) == Approx(expected.between));
  CHECK(gigabits(cluster, 1, 1) == Approx(expected.inside_region));
  CHECK(cluster.machines[1].inside.bandwidth->value == Approx(150e9 * expected.inside_machine));
  CHECK(cluster.machines[0].nic->up.value == Approx(10 * gigabit * expected.nic));
  CHECK(cluster.machines[2].nic->down.value == Approx(10 * gigabit * expected.nic));
}

TEST_CASE("changes apply in file order") {
  CHECK(gigabits(changed("all: {bandwidth: 4 Gbps}\na->b: {bandwidth_factor: 2}"), 0, 1) == Approx(8));
  CHECK(gigabits(changed("a->b: {bandwidth_factor: 2}\nall: {bandwidth: 4 Gbps}"), 0, 1) == Approx(4));
}

TEST_CASE("a link without bandwidth keeps none under a factor") {
  Cluster cluster = example();
  cluster.between[1].bandwidth.reset();
  CHECK_FALSE(changed("all: {bandwidth_factor: 2}", cluster).link(0, 1).bandwidth);
  CHECK(changed("all: {bandwidth: 2 Gbps}", cluster).link(0, 1).bandwidth);
}

TEST_CASE("limiters per sender and class: no classes are merged, differing figures are parted") {
  Cluster cluster = example(BandwidthLimit::per_sender_and_class);
  cluster.between[2].delay = Seconds(0.02);  // a -> c is another class than a -> b
  const auto limiter = [&](const std::string& changes, const char* to) {
    return route_links(platform_xml(changed(changes, cluster)), "a-0", to).front();
  };
  CHECK(limiter("between_regions: {delay: 5 ms}", "b-0-gpu0") != limiter("between_regions: {delay: 5 ms}", "c-0"));
  cluster.between[2] = cluster.between[1];
  CHECK(limiter("all: {bandwidth_factor: 2}", "b-0-gpu0") == limiter("all: {bandwidth_factor: 2}", "c-0"));
  CHECK(limiter("a->b: {bandwidth_factor: 2}", "b-0-gpu0") != limiter("a->b: {bandwidth_factor: 2}", "c-0"));
}

TEST_CASE("mistakes in changes are named where they stand") {
  const auto error = [](const std::string& changes) { return error_of([&] { changed(changes); }); };
  CHECK_THAT(error("wan: {bandwidth_factor: 2}"), Contains("links.yaml:1:") && Contains("'wan' selects no links"));
  CHECK_THAT(error("a->z: {delay: 1 ms}"), Contains("there is no region 'z'") && Contains("*, a, b, c"));
  CHECK_THAT(error("all: {bandwidth_factor: 0}"), Contains("links.yaml:1:"));
  CHECK_THAT(error("all: {bandwidth_factor: -1}"), Contains("links.yaml:1:"));
  CHECK_THAT(error("all: {bandwidth_factor: .nan}"), Contains("links.yaml:1:"));
  CHECK_THAT(error("all: {bandwidth_factor: 1e6}"), Contains("no link carries that"));
  CHECK_THAT(error("all: {delay: 5}"), Contains("unit"));
  CHECK_THAT(error("all: {delay: 5 ms, delay_factor: 2}"), Contains("one of the two"));
  CHECK_THAT(error("all: {bandwidth: 1 Gbps, bandwidth_factor: 2}"), Contains("one of the two"));
  CHECK_THAT(error("nics: {delay: 5 ms}"), Contains("network cards have no delay"));
  CHECK_THAT(error("all: {}"), Contains("no change"));
}
