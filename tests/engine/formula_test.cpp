// The simulation equals the closed form.
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/workload/collective_workload.hpp"
#include "sim/workload/graph_analysis.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

constexpr double exact = 1e-9;  // seconds; what doubles lose over a few thousand additions

Tasklet transfer(std::size_t from, std::size_t to, double bytes) {
  Tasklet task;
  task.kind = TaskletKind::activation_transfer;
  task.device = DeviceId(from);
  task.target = DeviceId(to);
  task.bytes = Bytes(bytes);
  return task;
}

// Independent transfers that are all ready at time 0.
Timeline simulate_transfers(const Platform& platform, const std::vector<Tasklet>& transfers,
                            const NetworkModel& network = {}) {
  TaskletGraphBuilder builder;
  for (const Tasklet& task : transfers) builder.add(task);
  const TaskletGraph graph = builder.build();
  GraphWorkload workload(graph);
  return simulate(platform, workload, network);
}

Seconds simulate_iteration(const Platform& platform, const Job& job, const Plan& plan,
                           const NetworkModel& network = {}) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, network);
  GraphWorkload workload(graph);
  return simulate(platform, workload, network).end;
}

Platform pairwise(std::size_t devices) { return load_cluster(test_cluster({devices}, BandwidthLimit::per_pair)); }

}  // namespace

TEST_CASE("one transfer takes latency + bytes / bandwidth") {
  const Timeline timeline = simulate_transfers(pairwise(2), {transfer(0, 1, 500)});
  CHECK(timeline.spans[0].start.value == 0);
  CHECK(timeline.spans[0].released.value == Approx(5).margin(exact));
  CHECK(timeline.spans[0].finish.value == Approx(6).margin(exact));
  CHECK(timeline.end.value == Approx(6).margin(exact));
}

TEST_CASE("a transfer of nothing costs the latency") {
  Cluster cluster = test_cluster({2}, BandwidthLimit::per_pair);
  cluster.between[0] = link_figures(1, 1e9);
  const Platform platform = load_cluster(cluster);
  NetworkModel network;
  for (const NetworkEquations equations : {NetworkEquations::raw, NetworkEquations::cm02}) {
    network.equations = equations;
    for (const double bytes : {0.0, 0.125})
      CHECK(simulate_transfers(platform, {transfer(0, 1, bytes)}, network).end.value == Approx(1).margin(2e-9));
  }
  network.equations = NetworkEquations::lv08;
  CHECK(simulate_transfers(platform, {transfer(0, 1, 0)}, network).end.value == Approx(13.01).margin(1e-6));
}

TEST_CASE("messages of one sender queue for the bytes, their latencies overlap") {
  const Timeline timeline = simulate_transfers(pairwise(3), {transfer(0, 1, 500), transfer(0, 2, 300)});
  CHECK(timeline.spans[0].finish.value == Approx(6).margin(exact));
  CHECK(timeline.spans[1].start.value == Approx(5).margin(exact));
  CHECK(timeline.spans[1].finish.value == Approx(9).margin(exact));
}

TEST_CASE("directed links differ by direction") {
  Cluster cluster = test_cluster({1, 1}, BandwidthLimit::per_pair);
  cluster.between[1] = link_figures(1, 100);
  cluster.between[2] = link_figures(3, 50);
  const Timeline timeline = simulate_transfers(load_cluster(cluster), {transfer(0, 1, 500), transfer(1, 0, 500)});
  CHECK(timeline.spans[0].finish.value == Approx(6).margin(exact));
  CHECK(timeline.spans[1].finish.value == Approx(13).margin(exact));
}

TEST_CASE("two flows share a trunk, each flow has its pair alone") {
  const std::vector<Tasklet> flows{transfer(0, 2, 500), transfer(1, 3, 300)};
  const Timeline trunk = simulate_transfers(load_cluster(test_cluster({2, 2}, BandwidthLimit::shared_trunk)), flows);
  // Both at 50 B/s until the second is through at 6 s; 200 B remain of the first, at 100 B/s.
  CHECK(trunk.spans[1].finish.value == Approx(6 + 1).margin(exact));
  CHECK(trunk.spans[0].finish.value == Approx(8 + 1).margin(exact));
  const Timeline pairs = simulate_transfers(load_cluster(test_cluster({2, 2}, BandwidthLimit::per_pair)), flows);
  CHECK(pairs.spans[1].finish.value == Approx(3 + 1).margin(exact));
  CHECK(pairs.spans[0].finish.value == Approx(5 + 1).margin(exact));
}

TEST_CASE("a sender's limiter is shared by receivers of one class, not by other senders") {
  // Two GPUs in machine 0 send at once; both destinations lie in the class (1 s, 100 B/s).
  Cluster cluster = test_cluster({1, 1, 1}, BandwidthLimit::per_sender_and_class);
  cluster.machines[0].devices = 2;
  cluster.machines[0].inside = link_figures(0, 1000);
  const Timeline shared = simulate_transfers(load_cluster(cluster), {transfer(0, 2, 500), transfer(1, 3, 500)});
  CHECK(shared.end.value == Approx(10 + 1).margin(exact));
  // A different delay makes another class with a limiter of its own.
  cluster.between[0 * 3 + 2] = link_figures(2, 100);
  const Timeline apart = simulate_transfers(load_cluster(cluster), {transfer(0, 2, 500), transfer(1, 3, 500)});
  CHECK(apart.spans[0].finish.value == Approx(5 + 1).margin(exact));
  CHECK(apart.spans[1].finish.value == Approx(5 + 2).margin(exact));
  // Two senders to one receiver: two limiters; the receiver takes one message at a time.
  const Timeline senders = simulate_transfers(load_cluster(cluster), {transfer(2, 0, 500), transfer(3, 0, 500)});
  CHECK(senders.spans[0].released.value == Approx(5).margin(exact));
  CHECK(senders.spans[1].released.value == Approx(10).margin(exact));
}

TEST_CASE("the devices of one machine share its network card") {
  Cluster cluster = test_cluster({1, 2}, BandwidthLimit::per_pair);
  cluster.machines[0].devices = 2;
  cluster.machines[0].inside = link_figures(0, 1000);
  cluster.machines[0].nic = Nic{BytesPerSecond(120), BytesPerSecond(60)};
  const Platform platform = load_cluster(cluster);
  const Timeline up = simulate_transfers(platform, {transfer(0, 2, 600), transfer(1, 3, 600)});
  CHECK(up.end.value == Approx(10 + 1).margin(exact));
  const Timeline down = simulate_transfers(platform, {transfer(2, 0, 600), transfer(3, 1, 600)});
  CHECK(down.end.value == Approx(20 + 1).margin(exact));
  const Timeline inside = simulate_transfers(platform, {transfer(0, 1, 500), transfer(1, 0, 500)});
  CHECK(inside.end.value == Approx(0.5).margin(exact));
}

TEST_CASE("GPipe and 1F1B on a free network take (M + S - 1)(f + b)") {
  Cluster cluster = test_cluster({4}, BandwidthLimit::per_pair);
  cluster.between[0] = link_figures(0, 1e15);
  const Platform platform = load_cluster(cluster);
  for (const char* schedule : {"gpipe", "1f1b"})
    for (const std::size_t micro_batches : {1U, 2U, 4U, 9U}) {
      INFO(schedule << " with " << micro_batches);
      const Seconds end = simulate_iteration(platform, test_job(0.5, 1.25, 1, 1),
                                             test_plan(4, 1, micro_batches, schedule, "ring_all_reduce"));
      CHECK(end.value == Approx((static_cast<double>(micro_batches) + 4 - 1) * 1.75).margin(exact));
    }
}

TEST_CASE("a pipeline bound by its messages takes one message time per micro-batch") {
  // f = 1, message 5 s on the wire and 1 s of latency: forward (M - 1) x 5 + S f + (S - 1)(5 + 1), backward alike.
  const Seconds end =
      simulate_iteration(pairwise(3), test_job(1, 2, 500, 1), test_plan(3, 1, 4, "gpipe", "ring_all_reduce"));
  CHECK(end.value == Approx((3 * 5 + 3 * 1 + 2 * 6) + (3 * 5 + 3 * 2 + 2 * 6)).margin(exact));
}

TEST_CASE("a ring all-reduce takes 2 (n - 1)(alpha + B / (n beta))") {
  for (const std::size_t members : {2U, 3U, 5U, 8U}) {
    INFO(members);
    const auto n = static_cast<double>(members);
    const Seconds end = simulate_iteration(pairwise(members), test_job(1, 2, 1, 1200),
                                           test_plan(1, members, 2, "gpipe", "ring_all_reduce"));
    CHECK(end.value ==
          Approx(2 * 3 + 2 * (n - 1) * (1 + 1200 / n / 100)).margin(1e-2 * n));  // whole bytes on the wire
  }
  const Seconds even =
      simulate_iteration(pairwise(4), test_job(1, 2, 1, 1200), test_plan(1, 4, 1, "gpipe", "ring_all_reduce"));
  CHECK(even.value == Approx(3 + 2 * 3 * (1 + 3)).margin(exact));
}

TEST_CASE("a central server takes two chunked chains") {
  // n = 3, B = 1200, four chunks of 300 B at 100 B/s: (n - 2 + chunks) x 3 s + (n - 1) x 1 s, for reduce and
  // broadcast.
  NetworkModel network;
  network.chunk = Bytes(300);
  const Seconds end = simulate_iteration(pairwise(3), test_job(1, 2, 1, 1200),
                                         test_plan(1, 3, 1, "gpipe", "central_server"), network);
  CHECK(end.value == Approx(3 + 2 * ((1 + 4) * 3 + 2 * 1)).margin(exact));
}

TEST_CASE("a sharded server takes two rounds of n - 1 messages each") {
  // n = 4, shards of 300 B: both phases send three messages one after the other; the last latency counts.
  const Seconds end =
      simulate_iteration(pairwise(4), test_job(1, 2, 1, 1200), test_plan(1, 4, 1, "gpipe", "sharded_server"));
  CHECK(end.value == Approx(3 + 2 * (3 * 3 + 1)).margin(exact));
}

TEST_CASE("a barrier takes log2(n) latencies, three of them stand in a pass with barriers") {
  // All ranks compute alike and arrive together, so that no barrier hides behind a late rank.
  Plan plan = test_plan(1, 8, 1, "gpipe", "ring_all_reduce");
  Cluster cluster = test_cluster({8}, BandwidthLimit::per_pair);
  cluster.between[0] = link_figures(2, 1e15);
  const Platform platform = load_cluster(cluster);
  const double without = simulate_iteration(platform, test_job(1, 1, 1, 8), plan).value;
  plan.phase_barrier = true;
  CHECK(simulate_iteration(platform, test_job(1, 1, 1, 8), plan).value == Approx(without + 3 * 3 * 2).margin(exact));
  NetworkModel handshake;
  handshake.barrier_latency_factor = 2;
  CHECK(simulate_iteration(platform, test_job(1, 1, 1, 8), plan, handshake).value ==
        Approx(without + 2 * 3 * 3 * 2).margin(exact));
}

TEST_CASE("efficiency inflates the bytes between machines, message cost keeps the sender from computing") {
  NetworkModel network;
  network.efficiency = 0.5;
  network.collective_efficiency = 0.25;
  Tasklet gradient = transfer(0, 1, 100);
  gradient.kind = TaskletKind::gradient_transfer;
  CHECK(simulate_transfers(pairwise(2), {transfer(0, 1, 100)}, network).end.value == Approx(2 + 1).margin(exact));
  CHECK(simulate_transfers(pairwise(2), {gradient}, network).end.value == Approx(4 + 1).margin(exact));
  network = {};
  network.message_cost = Seconds(0.25);
  // Two stages, one micro-batch: forward 1 + 0.25, message 1 + 1, forward 1, backward 1 + 0.25, message 1 + 1,
  // backward 1.
  const Seconds end = simulate_iteration(pairwise(2), test_job(1, 1, 100, 1),
                                         test_plan(2, 1, 1, "gpipe", "ring_all_reduce"), network);
  CHECK(end.value == Approx(4 * 1 + 2 * 0.25 + 2 * 2).margin(exact));
}

TEST_CASE("store and forward delays a lone message by its time on the wire, and hides behind the next one") {
  NetworkModel network;
  network.store_and_forward = 0.5;
  const Timeline timeline = simulate_transfers(pairwise(2), {transfer(0, 1, 500), transfer(0, 1, 500)}, network);
  CHECK(timeline.spans[0].finish.value == Approx(5 + 1 + 2.5).margin(exact));
  CHECK(timeline.spans[1].start.value == Approx(5).margin(exact));
}

TEST_CASE("a ring in rounds pays the latency of every round") {
  // n = 4, share 300 B in pieces of 100 B: three rounds of 6 steps of 1 s latency and 1 s on the wire.
  NetworkModel network;
  network.ring_chunk = Bytes(100);
  const Seconds end = simulate_iteration(pairwise(4), test_job(1, 2, 1, 1200),
                                         test_plan(1, 4, 1, "gpipe", "ring_all_reduce"), network);
  CHECK(end.value == Approx(3 + 3 * 6 * (1 + 1)).margin(exact));
}

TEST_CASE("a collective alone takes its closed form, and a broadcast between two is one message") {
  Plan plan = test_plan(1, 2, 1, "gpipe", "broadcast");
  plan.workload = "collective";
  const Platform platform = pairwise(2);
  const TaskletGraph graph = collective_tasklets(test_job(1, 1, 1, 500), plan, platform.view, {});
  GraphWorkload workload(graph);
  CHECK(simulate(platform, workload, {}).end.value == Approx(5 + 1).margin(exact));
}

TEST_CASE("tensor parallelism halves the computing and sums twice per layer and direction") {
  // One stage of 24 layers on two slices of one machine: forward 0.5 F, then 48 sums in one exchange of two steps of half
  // the bytes that pay 48 latencies each; backward 0.5 x 3 F and 96 sums with recomputation.
  Cluster cluster = test_cluster({1}, BandwidthLimit::per_pair);
  cluster.machines[0].devices = 2;
  cluster.machines[0].inside = link_figures(0.001, 1e6);
  const Platform platform = load_cluster(cluster);
  Job job = test_job(0, 0, 1000, 1);
  job.compute.forward.reset();
  job.compute.backward.reset();
  Plan plan = test_plan(1, 1, 1, "1f1b", "ring_all_reduce");
  plan.degrees.tensor = 2;
  plan.rank_of_device = {RankId(0), RankId(1)};
  const double forward = stage_loads(job, {24})[0].forward.value / platform.view.device(DeviceId(0)).peak.value;
  const double backward = stage_loads(job, {24})[0].backward.value / platform.view.device(DeviceId(0)).peak.value;
  const auto sums = [](double count) { return 2 * (count * 0.001 + count * 1000 / 2 / 1e6); };
  CHECK(simulate_iteration(platform, job, plan).value ==
        Approx(forward / 2 + backward / 2 + sums(48) + sums(96)).margin(exact));
}

TEST_CASE("with synchronous transfers a sender waits for its delivery") {
  // Two stages, two micro-batches, f = b = 1, message 1 s + 1 s. Stage 0: F0, send 2 s, F1, send 2 s; without waiting F1
  // follows F0 at once.
  Plan plan = test_plan(2, 1, 2, "gpipe", "ring_all_reduce");
  const double overlapped = simulate_iteration(pairwise(2), test_job(1, 1, 100, 1), plan).value;
  plan.synchronous_transfers = true;
  const double waiting = simulate_iteration(pairwise(2), test_job(1, 1, 100, 1), plan).value;
  // F0 1, message 2, F0' and B … : overlapped 1 + 2 + (F0' F1' B0' B1') 4 + 2 + 1; waiting: F1 starts at 3, its message is
  // delivered at 6, F1' B0' end at 8, the gradient of B0' goes before B1' (10), B1' 11, its message 13, B1 14.
  CHECK(overlapped == Approx(10).margin(exact));
  CHECK(waiting == Approx(14).margin(exact));
}

TEST_CASE("a TCP window limits a flow to window / round trip") {
  NetworkModel network;
  network.tcp_window = Bytes(50);  // over a round trip of 2 s: 25 B/s
  CHECK(simulate_transfers(pairwise(2), {transfer(0, 1, 100)}, network).end.value == Approx(4 + 1).margin(exact));
}

TEST_CASE("several streams share the window's limit") {
  NetworkModel network;
  network.tcp_window = Bytes(50);
  network.tcp_streams = 2;
  CHECK(simulate_transfers(pairwise(2), {transfer(0, 1, 100)}, network).end.value == Approx(2 + 1).margin(exact));
}

TEST_CASE("SimGrid's own models give SimGrid's own figures") {
  NetworkModel network;
  network.equations = NetworkEquations::cm02;
  CHECK(simulate_transfers(pairwise(2), {transfer(0, 1, 500)}, network).end.value == Approx(6).margin(exact));
  network.equations = NetworkEquations::lv08;
  // 13.01 latencies, and 0.97 of the bandwidth (the TCP window of 4 MiB does not bind here).
  CHECK(simulate_transfers(pairwise(2), {transfer(0, 1, 500)}, network).end.value ==
        Approx(13.01 + 500 / 97.0).margin(1e-6));
}

TEST_CASE("a workload that cannot progress says which tasklet waits for what") {
  TaskletGraphBuilder builder;
  builder.add(transfer(0, 1, 1));
  builder.add(transfer(0, 1, 1));
  builder.add(transfer(1, 0, 1));
  builder.order(TaskletId(1), TaskletId(2));
  builder.order(TaskletId(2), TaskletId(1));
  const TaskletGraph graph = builder.build();
  GraphWorkload workload(graph);
  CHECK_THROWS_WITH(
      simulate(pairwise(2), workload, {}),
      Catch::Contains("the simulation cannot progress: 2 tasklets never finish (tasklet 1 activation_transfer by "
                      "rank 0 on device 0 to device 1 waits for 2 activation_transfer"));
}

TEST_CASE("an empty workload takes no time") {
  const TaskletGraph graph = TaskletGraphBuilder().build();
  GraphWorkload workload(graph);
  CHECK(simulate(pairwise(2), workload, {}).end == Seconds());
}

TEST_CASE("the same simulation twice gives the same bits") {
  const Platform platform = pairwise(6);
  const Job job = test_job(0.1, 0.3, 70, 1300);
  const Plan plan = test_plan(3, 2, 7, "1f1b", "sharded_server");
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
  GraphWorkload first(graph);
  GraphWorkload second(graph);
  const Timeline a = simulate(platform, first, {});
  const Timeline b = simulate(platform, second, {});
  REQUIRE(a.spans.size() == b.spans.size());
  for (std::size_t i = 0; i < a.spans.size(); ++i) {
    CHECK(a.spans[i].start == b.spans[i].start);
    CHECK(a.spans[i].finish == b.spans[i].finish);
  }
}
