// The engine on platforms in racks, and on so many devices that actors carry the transfers.
#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/collective_workload.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

constexpr double exact = 1e-9;  // seconds

Timeline run(const Platform& platform, const TaskletGraph& graph) {
  GraphWorkload workload(graph);
  return simulate(platform, workload, {});
}

}  // namespace

TEST_CASE("in racks an iteration takes what it takes in one zone, whatever limits bandwidth") {
  for (const BandwidthLimit limit :
       {BandwidthLimit::per_sender_and_class, BandwidthLimit::per_pair, BandwidthLimit::shared_trunk}) {
    Cluster cluster = test_cluster({4, 4, 4, 4}, limit);
    for (Machine& machine : cluster.machines) {
      machine.devices = 2;
      machine.inside = link_figures(0.1, 1000);
      machine.nic = Nic{BytesPerSecond(150), BytesPerSecond(150)};
    }
    const Platform zone = load_cluster(cluster), racks = load_in_racks(cluster);
    const Plan plan = test_plan(4, 8, 4, "gpipe", "sharded_server");
    const TaskletGraph graph = pipeline_tasklets(test_job(1, 2, 300, 900), plan, zone.view, {});
    const Timeline one = run(zone, graph), other = run(racks, graph);
    INFO(name_of(limit));
    CHECK(one.end.value == Approx(other.end.value).epsilon(1e-12));
    std::size_t different = 0;
    for (std::size_t i = 0; i < graph.size(); ++i)
      if (!(std::abs((one.spans[i].finish - other.spans[i].finish).value) < exact)) ++different;
    CHECK(different == 0);
  }
}

TEST_CASE("on 2048 devices a broadcast takes its closed form: each chunk passes all, chunks follow each other") {
  constexpr std::size_t devices = 2048, chunks = 3;
  const Platform platform = load_cluster(test_cluster({devices}, BandwidthLimit::per_pair));
  const Job job = test_job(1, 1, 0, chunks * 100.0);
  Plan plan = test_plan(1, devices, 1, "gpipe", "broadcast");
  NetworkModel network;
  network.chunk = Bytes(100);  // 1 s on the wire, 1 s on the way
  const TaskletGraph graph = collective_tasklets(job, plan, platform.view, network);
  CHECK(graph.size() == chunks * (devices - 1));
  CHECK(run(platform, graph).end.value == Approx(2.0 * (devices - 1) + (chunks - 1)).margin(1e-6));
}
