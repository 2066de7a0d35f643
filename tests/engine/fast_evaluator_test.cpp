// The fast evaluator says what SimGrid says, wherever it claims to be exact.
#include <catch2/catch.hpp>

#include <filesystem>

#include "sim/base/random.hpp"
#include "sim/description/data_folder.hpp"
#include "sim/description/scenario.hpp"
#include "sim/description/shared_links.hpp"
#include "sim/engine/fast_evaluator.hpp"
#include "sim/engine/fast_plan_evaluator.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "sim/workload/schedule.hpp"
#include "sim/workload/workload_builder.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

constexpr double relative = 1e-9;

double drawn(RandomStream& random, double most) { return most * static_cast<double>(random.below(1'000'001)) / 1e6; }

// Where `even`, times and sizes come from short lists, so that ties abound.
double seconds(RandomStream& random, bool even) {
  static constexpr double few[] = {0, 0.5, 1, 2};
  return even ? few[random.below(4)] : random.below(8) == 0 ? 0 : drawn(random, 3);
}

Bytes bytes(RandomStream& random, bool even) {
  static constexpr double few[] = {0, 50, 100, 200};
  return Bytes(even ? few[random.below(4)] : drawn(random, 400));
}

// Any tasklets on some of the devices, each after some of those before it.
struct Sketch {
  std::vector<Tasklet> tasklets;
  std::vector<std::pair<std::size_t, std::size_t>> dependencies;

  Sketch(RandomStream& random, const std::vector<DeviceId>& devices, bool even) {
    const std::size_t count = 5 + random.below(40);
    const std::size_t sparseness = 3 + random.below(20);
    for (std::size_t i = 0; i < count; ++i) {
      Tasklet task;
      task.kind = static_cast<TaskletKind>(random.below(10));
      task.device = task.target = devices[random.below(devices.size())];
      if (is_transfer(task.kind)) {
        while (task.target == task.device) task.target = devices[random.below(devices.size())];
        task.bytes = bytes(random, even);
        task.messages = static_cast<std::uint32_t>(1 + random.below(3));
      } else {
        task.compute = Seconds(seconds(random, even));
        if (random.below(4) == 0) task.handling = Seconds(seconds(random, even));
      }
      tasklets.push_back(task);
      for (std::size_t before = 0; before < i; ++before)
        if (random.below(sparseness) == 0) dependencies.emplace_back(before, i);
    }
  }

  void add_to(TaskletGraphBuilder& builder, std::size_t first) const {
    for (const Tasklet& task : tasklets) builder.add(task);
    for (const auto& [before, after] : dependencies)
      builder.order(TaskletId(first + before), TaskletId(first + after));
  }
};

NetworkModel any_network(RandomStream& random) {
  NetworkModel network;
  const auto sometimes = [&random] { return random.below(2) == 0; };
  if (sometimes()) network.efficiency = 0.8;
  if (sometimes()) network.collective_efficiency = 0.5;
  if (sometimes()) network.exchange_efficiency = 0.3;
  if (sometimes()) network.store_and_forward = 1.5;
  if (sometimes()) network.barrier_latency_factor = 2;
  if (sometimes()) network.tcp_window = Bytes(150);
  if (sometimes()) network.message_cost = Seconds(0.25);
  return network;
}

Cluster any_cluster(RandomStream& random, const std::vector<std::size_t>& machines) {
  Cluster cluster =
      test_cluster(machines, random.below(2) == 0 ? BandwidthLimit::per_pair : BandwidthLimit::per_sender_and_class);
  static constexpr double delays[] = {0, 0.1, 0.5, 1}, rates[] = {50, 100, 200, 73.1};
  for (LinkFigures& figures : cluster.between)
    figures = link_figures(delays[random.below(4)], rates[random.below(4)]);
  return cluster;
}

bool equal(Seconds a, Seconds b) { return std::abs(a.value - b.value) <= relative * std::max(1.0, b.value); }

std::size_t count_differences(const std::vector<Span>& fast, const Span* simulated) {
  std::size_t different = 0;
  for (const Span& span : fast) {
    different += !equal(span.start, simulated->start) || !equal(span.released, simulated->released) ||
                 !equal(span.finish, simulated->finish);
    ++simulated;
  }
  return different;
}

}  // namespace

TEST_CASE("the fast evaluator equals SimGrid on random graphs") {
  RandomStream random(1, "fast evaluator");
  constexpr std::size_t together = 12, devices = 5;  // graphs of one run, each on devices of its own
  std::size_t exact = 0, in_one_pass = 0, tied = 0;
  for (std::size_t run = 0; run < 150; ++run) {
    const Platform platform = load_cluster(any_cluster(random, {20, 20, 20}));
    const NetworkModel network = any_network(random);
    const bool even = run % 3 == 0;
    std::vector<Sketch> sketches;
    TaskletGraphBuilder all;
    std::size_t size = 0;
    for (std::size_t graph = 0; graph < together; ++graph) {
      std::vector<DeviceId> own;
      for (std::size_t i = 0; i < devices; ++i) own.emplace_back(graph + i * together);
      sketches.emplace_back(random, own, even);
      sketches.back().add_to(all, size);
      size += sketches.back().tasklets.size();
    }
    const TaskletGraph graph = all.build();
    GraphWorkload workload(graph);
    const Timeline simulated = simulate(platform, workload, network);
    FastEvaluator evaluator;
    std::size_t first = 0;
    for (const Sketch& sketch : sketches) {
      TaskletGraphBuilder builder;
      sketch.add_to(builder, 0);
      const TaskletGraph alone = builder.build();
      evaluator.prepare(alone, platform.view, network);
      std::vector<Span> spans;
      const Seconds end = evaluator.run(spans);
      if (evaluator.tie()) {
        ++tied;
      } else {
        ++exact;
        in_one_pass += evaluator.in_one_pass();
        INFO("run " << run << ", first tasklet " << first << ", " << alone.size() << " tasklets");
        CHECK(count_differences(spans, &simulated.spans[first]) == 0);
        CHECK(end == evaluator.run());
      }
      first += sketch.tasklets.size();
    }
  }
  CHECK(exact >= 1000);
  CHECK(in_one_pass >= 100);
  CHECK(exact - in_one_pass >= 100);
  CHECK(tied >= 100);
}

TEST_CASE("the fast evaluator equals SimGrid on random plans, or says why it need not") {
  RandomStream random(2, "fast evaluator");
  const std::vector<Degrees> shapes{{2, 3, 1}, {3, 2, 1}, {6, 1, 1}, {1, 6, 1}, {3, 1, 2}};
  const std::vector<std::string> collectives{"ring_all_reduce", "central_server", "sharded_server"};
  std::size_t exact = 0;
  for (std::size_t run = 0; run < 60; ++run) {
    Cluster cluster = any_cluster(random, {2, 2, 2});
    for (LinkFigures& figures : cluster.between) figures.delay = Seconds(drawn(random, 1));
    if (run % 4 == 0) cluster.machines.resize(3), cluster.regions.resize(2), cluster.between.resize(4);
    if (run % 4 == 0)
      for (Machine& machine : cluster.machines) {
        machine.region = machine.name[1] == '1';
        machine.devices = 2;
        machine.inside = link_figures(0, 1000);
      }
    const Platform platform = load_cluster(cluster);
    Plan plan =
        test_plan(2, 3, 1 + random.below(6), random.below(2) == 0 ? "gpipe" : "1f1b", collectives[random.below(3)]);
    plan.degrees = shapes[random.below(shapes.size())];
    plan.layers_per_stage = even_layers(24, plan.degrees.pipeline);
    plan.phase_barrier = plan.schedule == "gpipe" && random.below(2) == 0;
    plan.synchronous_transfers = random.below(3) == 0;
    random.shuffle(plan.rank_of_device);
    const Job job = test_job(drawn(random, 2), drawn(random, 4), drawn(random, 300), drawn(random, 1000));
    const NetworkModel network = any_network(random);
    const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, network);
    const Simulated both = simulate(platform, graph, network, Engine::both);
    REQUIRE(both.fast_end);
    if (!both.doubt.empty()) continue;
    ++exact;
    FastEvaluator evaluator;
    evaluator.prepare(graph, platform.view, network);
    std::vector<Span> spans;
    evaluator.run(spans);
    INFO("run " << run);
    CHECK(count_differences(spans, both.timeline.spans.data()) == 0);
    CHECK(equal(*both.fast_end, both.timeline.end));
  }
  CHECK(exact >= 30);
}

TEST_CASE("the fast evaluator equals SimGrid on every shipped scenario in which nothing is shared") {
  std::size_t exact = 0;
  for (const std::string& name : data_names("scenarios", ".yaml")) {
    INFO(name);
    const Scenario scenario = ScenarioSource(data_file("scenarios", name, ".yaml", {})).read();
    const Platform platform =
        scenario.cluster ? load_platform(*scenario.cluster, scenario.platform) : load_platform(scenario.platform);
    Plan plan = fixed_plan(scenario, platform.view.size());
    for (std::size_t i = 0; i < platform.view.size(); ++i) plan.rank_of_device.emplace_back(i);
    const TaskletGraph graph =
        find_workload_builder(plan.workload)->build(scenario.job, plan, platform.view, scenario.network);
    const Simulated both = simulate(platform, graph, scenario.network, Engine::both);
    REQUIRE(both.fast_end);
    if (!both.doubt.empty()) {
      CHECK((both.doubt.find("shared") != std::string::npos || both.doubt.find("chance") != std::string::npos));
      continue;
    }
    ++exact;
    FastEvaluator evaluator;
    evaluator.prepare(graph, platform.view, scenario.network);
    std::vector<Span> spans;
    evaluator.run(spans);
    CHECK(count_differences(spans, both.timeline.spans.data()) == 0);
  }
  CHECK(exact >= 10);
}

TEST_CASE("transfers that share a link are noticed, and only where the link is too small for them") {
  const auto flows = [](double nic) {
    Cluster cluster = test_cluster({1, 2}, BandwidthLimit::per_pair);
    cluster.machines[0].devices = 2;
    cluster.machines[0].inside = link_figures(0, 1000);
    cluster.machines[0].nic = Nic{BytesPerSecond(nic), BytesPerSecond(nic)};
    TaskletGraphBuilder builder;
    for (std::size_t i = 0; i < 2; ++i) {
      Tasklet task;
      task.kind = TaskletKind::gradient_transfer;
      task.device = DeviceId(i);
      task.target = DeviceId(2 + i);
      task.bytes = Bytes(600);
      builder.add(task);
    }
    return simulate(load_cluster(cluster), builder.build(), {}, Engine::both);
  };
  const Simulated wide = flows(200);
  CHECK(wide.doubt.empty());
  CHECK(equal(*wide.fast_end, wide.timeline.end));
  const Simulated narrow = flows(150);
  CHECK(narrow.doubt.find("links are shared: from 0.0") == 0);
  CHECK(narrow.doubt.find("r0-0-nic-up") != std::string::npos);
  CHECK(narrow.fast_end->value == Approx(7));
  CHECK(narrow.timeline.end.value == Approx(9));
}

TEST_CASE("only platforms of nothing but fat pipes are known to share nothing") {
  CHECK_FALSE(may_have_shared_links(platform_xml(test_cluster({2}, BandwidthLimit::per_pair))));
  CHECK(may_have_shared_links(platform_xml(test_cluster({2}, BandwidthLimit::shared_trunk))));
  CHECK(may_have_shared_links("<link id='l' bandwidth='1Bps' latency='0s'/><link_ctn id='l'/>"));
  CHECK(may_have_shared_links("<cluster id='c'/>"));
}

TEST_CASE("what the fast evaluator does not know, it leaves to SimGrid") {
  const Platform platform = load_cluster(test_cluster({2}, BandwidthLimit::per_pair));
  TaskletGraphBuilder builder;
  Tasklet task;
  task.kind = TaskletKind::activation_transfer;
  task.target = DeviceId(1);
  task.bytes = Bytes(500);
  builder.add(task);
  const TaskletGraph graph = builder.build();
  NetworkModel network;
  CHECK(simulate(platform, graph, network, Engine::automatic).engine == Engine::fast);
  network.equations = NetworkEquations::lv08;
  CHECK(simulate(platform, graph, network, Engine::automatic).engine == Engine::simgrid);
  CHECK_FALSE(simulate(platform, graph, network, Engine::both).fast_end);
  CHECK_THROWS_WITH(simulate(platform, graph, network, Engine::fast),
                    Catch::Contains("--engine fast") && Catch::Contains("lv08"));
}

TEST_CASE("a circle of waits is the same error from both engines") {
  const Platform platform = load_cluster(test_cluster({1}, BandwidthLimit::per_pair));
  TaskletGraphBuilder builder;
  for (int i = 0; i < 3; ++i) builder.add(Tasklet());
  builder.order(TaskletId(0), TaskletId(1));
  builder.order(TaskletId(1), TaskletId(2));
  builder.order(TaskletId(2), TaskletId(1));
  const TaskletGraph graph = builder.build();
  const auto message = [&](Engine engine) {
    try {
      simulate(platform, graph, {}, engine);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(message(Engine::fast).find("2 tasklets never finish") != std::string::npos);
  CHECK(message(Engine::fast) == message(Engine::simgrid));
}

TEST_CASE("a sharded plan placed anew is evaluated as if it had been built anew") {
  RandomStream random(4, "fast evaluator");
  const Platform platform = load_cluster(any_cluster(random, {2, 2, 2}));
  const NetworkModel network;
  const Job job = test_job(1, 2, 300, 1000);
  FastPlanEvaluator kept(job, platform.view, network);
  for (const std::size_t zero : {1U, 2U, 3U}) {
    Plan plan = test_plan(1, 6, 2, "1f1b", "ring_all_reduce");
    plan.zero = zero;
    plan.sync_groups = 3;
    for (std::size_t swap = 0; swap < 5; ++swap) {
      std::swap(plan.rank_of_device[random.below(6)], plan.rank_of_device[random.below(6)]);
      CHECK(kept.evaluate(plan) == FastPlanEvaluator(job, platform.view, network).evaluate(plan));
    }
  }
}

TEST_CASE("a plan placed anew is evaluated as if it had been built anew") {
  RandomStream random(3, "fast evaluator");
  Cluster cluster = any_cluster(random, {2, 2, 2});
  for (std::size_t i = 0; i < cluster.machines.size(); ++i)
    if (i % 2 == 0) cluster.machines[i].device_type = "A100-SXM4-40GB";
  const Platform platform = load_cluster(cluster);
  NetworkModel network = any_network(random);
  network.message_cost = Seconds(0.25);
  Job job = test_job(0, 0, 300, 1000);
  job.compute.forward.reset();
  job.compute.backward.reset();
  FastPlanEvaluator kept(job, platform.view, network);
  for (const char* schedule : {"gpipe", "1f1b", "zb_h1", "interleaved_1f1b"})
    for (const Degrees& degrees : {Degrees{3, 2, 1}, Degrees{3, 1, 2}, Degrees{2, 3, 1}, Degrees{3, 1, 1, 2}}) {
      Plan plan = test_plan(degrees.pipeline, degrees.data, 6, schedule, "sharded_server");
      if (find_pipeline_schedule(schedule)->interleaves) plan.virtual_stages = 2;
      plan.degrees = degrees;
      plan.rank_of_device.clear();
      for (std::size_t rank = 0; rank < degrees.ranks(); ++rank) plan.rank_of_device.emplace_back(rank);
      for (std::size_t swap = 0; swap < 10; ++swap) {
        std::swap(plan.rank_of_device[random.below(6)], plan.rank_of_device[random.below(6)]);
        CHECK(kept.evaluate(plan) == FastPlanEvaluator(job, platform.view, network).evaluate(plan));
      }
    }
}
