// The closed form of every collective against its simulation.
#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "tests/support/collective_data.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

struct Times {
  double simulated = 0;
  double predicted = 0;
};

// A call among the first devices of the platform.
Times times_of(const char* name, const Platform& platform, CollectiveCall call, std::size_t members) {
  const Collective& collective = *find_collective(name);
  const NetworkModel network;
  call.platform = &platform.view;
  call.network = &network;
  call.chunk = Bytes(120);
  const EmittedData data = emit_data(collective, call, members);
  GraphWorkload workload(data.graph);
  return {simulate(platform, workload, network).end.value, collective.seconds(data.call).value};
}

CollectiveCall call_of(double bytes, const std::vector<double>& shares = {}) {
  CollectiveCall call;
  call.bytes = Bytes(bytes);
  call.shares = shares;
  return call;
}

Platform pairwise(std::size_t devices) { return load_cluster(test_cluster({devices}, BandwidthLimit::per_pair)); }

// Shares 1 : 2 : … : n.
std::vector<double> rising(std::size_t members) {
  std::vector<double> shares;
  for (std::size_t i = 1; i <= members; ++i)
    shares.push_back(2 * static_cast<double>(i) / static_cast<double>(members * (members + 1)));
  return shares;
}

}  // namespace

TEST_CASE("chains, trees, rings and exchanges on equal links take what their closed form says") {
  for (const std::size_t members : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U, 16U}) {
    const Platform platform = pairwise(members);
    const auto n = static_cast<double>(members);
    const double bytes = 720 * n;
    for (const char* name : {"broadcast", "reduce", "central_server", "broadcast_tree", "reduce_tree",
                             "ring_all_reduce", "reduce_scatter", "all_gather", "all_to_all", "sharded_server"}) {
      INFO(name << " with " << members);
      const Times times = times_of(name, platform, call_of(bytes), members);
      CHECK(times.simulated == Approx(times.predicted).margin(1e-9));
    }
    CHECK(times_of("ring_all_reduce", platform, call_of(bytes), members).simulated ==
          Approx(2 * (n - 1) * (1 + 7.2)).margin(1e-9));
    CHECK(times_of("all_to_all", platform, call_of(bytes), members).simulated ==
          Approx((n - 1) * 7.2 + 1).margin(1e-9));
    CHECK(times_of("broadcast", platform, call_of(bytes), members).simulated ==
          Approx((n - 2 + 6 * n) * 1.2 + (n - 1)).margin(1e-9));
  }
  for (const std::size_t members : {2U, 4U, 8U, 16U}) {
    const double rounds = std::log2(static_cast<double>(members));
    for (const char* name : {"broadcast_tree", "reduce_tree"})
      CHECK(times_of(name, pairwise(members), call_of(500), members).simulated == Approx(rounds * 6).margin(1e-9));
    CHECK(times_of("recursive_halving_doubling", pairwise(members), call_of(1600), members).predicted ==
          Approx(2 * rounds + 32 * (1 - 1 / static_cast<double>(members))));
  }
}

TEST_CASE("rings of uneven shards go at the pace of the largest, exchanges take nearly as long as who owns it") {
  for (const std::size_t members : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U, 16U}) {
    const Platform platform = pairwise(members);
    const auto n = static_cast<double>(members);
    const std::vector<double> shares = rising(members);
    const double bytes = 300 * n * (n + 1);  // whole shards
    const double largest = 6 * n;            // seconds
    for (const char* name : {"ring_all_reduce", "reduce_scatter", "all_gather"}) {
      INFO(name << " with " << members);
      const Times times = times_of(name, platform, call_of(bytes, shares), members);
      const double laps = name == std::string("ring_all_reduce") ? 2 : 1;
      CHECK(times.predicted == Approx(laps * (n - 1) * (1 + largest)));
      CHECK(times.simulated == Approx(times.predicted).margin(1e-6));
    }
    for (const char* name : {"all_to_all", "sharded_server"}) {
      INFO(name << " with " << members);
      const Times times = times_of(name, platform, call_of(bytes, shares), members);
      const double laps = name == std::string("sharded_server") ? 2 : 1;
      CHECK(times.predicted == Approx(laps * ((n - 1) * largest + 1)));
      CHECK(times.simulated >= times.predicted - 1e-6);
      CHECK(times.simulated <= 1.35 * times.predicted);
    }
  }
}

TEST_CASE("hierarchical rings on two and three levels take the sum of their levels") {
  // Two regions of two machines of two: inside 0.5 s and 1000 B/s, between machines 1 s and 100 B/s, between regions 7 s and
  // 50 B/s.
  Cluster cluster = test_cluster({2, 2}, BandwidthLimit::per_pair);
  for (Machine& machine : cluster.machines) {
    machine.devices = 2;
    machine.inside = link_figures(0.5, 1000);
  }
  cluster.between[1] = cluster.between[2] = link_figures(7, 50);
  const Platform platform = load_cluster(cluster);
  CollectiveCall call = call_of(8000);
  call.machines = {0, 0, 1, 1, 2, 2, 3, 3};
  call.regions = {0, 0, 0, 0, 1, 1, 1, 1};
  const double inside = 2 * (0.5 + 4);
  const Times three = times_of("hierarchical_ring_3", platform, call, 8);
  CHECK(three.simulated == Approx(inside + 2 * (1 + 20) + 2 * (7 + 20)).margin(1e-9));
  CHECK(three.predicted == Approx(three.simulated));
  // On two levels a region's ring crosses machines in every step.
  const Times two = times_of("hierarchical_ring", platform, call, 8);
  CHECK(two.predicted == Approx(two.simulated).epsilon(0.05));
  CHECK(three.simulated < two.simulated);
  CHECK(two.simulated < times_of("ring_all_reduce", platform, call, 8).simulated);
}

TEST_CASE("on unequal links and uneven groups predictions are estimates") {
  // Regions of five, two and two, with figures of their own in each direction.
  Cluster cluster = test_cluster({5, 2, 2}, BandwidthLimit::per_pair);
  for (std::size_t from = 0; from < 3; ++from)
    for (std::size_t to = 0; to < 3; ++to)
      if (from != to)
        cluster.between[from * 3 + to] =
            link_figures(static_cast<double>(1 + from + 2 * to), static_cast<double>(20 + 10 * from + 5 * to));
  const Platform platform = load_cluster(cluster);
  for (const double bytes : {90.0, 3600.0, 360000.0})
    for (const Collective& collective : collectives()) {
      CollectiveCall call = call_of(bytes);
      call.regions = {0, 0, 0, 0, 0, 1, 1, 2, 2};
      call.machines = {0, 1, 2, 3, 4, 5, 6, 7, 8};
      const Times times = times_of(collective.name, platform, call, 9);
      INFO(collective.name << " of " << bytes << ": " << times.simulated << " s, predicted " << times.predicted);
      CHECK(times.predicted > 0.6 * times.simulated);
      CHECK(times.predicted < 1.5 * times.simulated);
    }
}

TEST_CASE("auto emits what is predicted fastest on the members' paths") {
  const auto chosen = [](const Platform& platform, double bytes, const std::vector<std::size_t>& regions) {
    const NetworkModel network;
    CollectiveCall call = call_of(bytes);
    call.platform = &platform.view;
    call.network = &network;
    call.chunk = Bytes(bytes / 4);
    call.regions = regions;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      call.machines.push_back(i);
      call.ranks.emplace_back(i);
      call.devices.emplace_back(i);
    }
    return std::string(fastest_collective(call).name);
  };
  const Platform eight = pairwise(8);
  const std::vector<std::size_t> one_region(8, 0);
  CHECK(chosen(eight, 8, one_region) == "sharded_server");
  CHECK(chosen(eight, 1e6, one_region) == "sharded_server");  // two latencies
  // A power of two of members in even regions is best served by halving; others by rings on levels.
  Cluster cluster = test_cluster({4, 4}, BandwidthLimit::per_pair);
  cluster.between[1] = cluster.between[2] = link_figures(5, 10);
  CHECK(chosen(load_cluster(cluster), 1e6, {0, 0, 0, 0, 1, 1, 1, 1}) == "recursive_halving_doubling");
  cluster = test_cluster({3, 3}, BandwidthLimit::per_pair);
  cluster.between[1] = cluster.between[2] = link_figures(5, 10);
  CHECK(chosen(load_cluster(cluster), 1e6, {0, 0, 0, 1, 1, 1}) == "hierarchical_ring");
}
