#include "analysis/critical_steps.hpp"

#include <catch2/catch.hpp>

#include "analysis/replay.hpp"
#include "tests/support/reruns.hpp"

using namespace longhaul;

namespace {

Tasklet computation(std::size_t device, double seconds) {
  Tasklet task;
  task.device = task.target = DeviceId(device);
  task.compute = Seconds(seconds);
  return task;
}

// Takes bytes / 100 s and then 1 s on the test platform.
Tasklet transfer(std::size_t from, std::size_t to, double bytes) {
  Tasklet task;
  task.kind = TaskletKind::activation_transfer;
  task.device = DeviceId(from);
  task.target = DeviceId(to);
  task.bytes = Bytes(bytes);
  return task;
}

struct Explained {
  Rerun run;
  RealisedGraph realised;
  std::vector<Duration> durations;
  Propagation propagation;

  explicit Explained(Rerun simulated_run)
      : run(std::move(simulated_run)),
        realised(run.graph, run.timeline),
        durations(durations_of(run.timeline)),
        propagation(propagate(realised, durations)) {}
  std::vector<CriticalStep> steps() const { return critical_steps(realised, durations, propagation); }
};

Explained explained(TaskletGraphBuilder& builder, const std::vector<std::size_t>& machines) {
  return Explained(simulated(load_cluster(test_cluster(machines, BandwidthLimit::per_pair)), builder.build()));
}

std::vector<std::uint32_t> tasklets_of(const std::vector<CriticalStep>& steps) {
  std::vector<std::uint32_t> tasklets;
  for (const CriticalStep& step : steps) tasklets.push_back(step.tasklet.value);
  return tasklets;
}

double total(const std::vector<PathPart>& parts) {
  Seconds sum;
  for (const PathPart& part : parts) sum += part.seconds();
  return sum.value;
}

}  // namespace

TEST_CASE("a critical path leads through the send stream that a transfer waited for") {
  // 0 computes a (2 s), b (1 s) and sends the result of each (3 s + 1 s) to 1, which computes c (1 s) with the second.
  TaskletGraphBuilder builder;
  const TaskletId a = builder.add(computation(0, 2)), b = builder.add(computation(0, 1));
  const TaskletId first = builder.add(transfer(0, 1, 300)), second = builder.add(transfer(0, 1, 300));
  const TaskletId c = builder.add(computation(1, 1));
  builder.order(a, first);
  builder.order(b, second);
  builder.order(second, c);
  const Explained one = explained(builder, {2});
  const std::vector<CriticalStep> steps = one.steps();
  CHECK(one.propagation.end.value == Approx(2 + 3 + 3 + 1 + 1));
  CHECK(tasklets_of(steps) == std::vector<std::uint32_t>{a.value, first.value, second.value, c.value});
  CHECK_FALSE(steps[1].queued);
  CHECK(steps[1].hold.value == Approx(3));
  CHECK(steps[1].lag == Seconds());  // its delay passes while the stream serves the next
  CHECK(steps[2].queued);
  CHECK(steps[2].lag.value == Approx(1));
  const std::vector<Seconds> slack = slack_of(one.realised, one.durations, one.propagation);
  CHECK(slack[a.value] == Seconds());
  CHECK(slack[b.value].value == Approx(2));  // done at 3, its transfer starts at 5
  CHECK(slack[c.value] == Seconds());
}

TEST_CASE("a critical path leads through the receive stream and the compute stream, too") {
  // 0 and 1 send 3 s and 2 s to 2 at once; 2 computes 9 s with the second one and then 1 s with the first.
  TaskletGraphBuilder builder;
  const TaskletId first = builder.add(transfer(0, 2, 300)), second = builder.add(transfer(1, 2, 200));
  const TaskletId late = builder.add(computation(2, 1)), early = builder.add(computation(2, 9));
  builder.order(second, early);
  builder.order(second, late);
  builder.order(first, late);
  const Explained one = explained(builder, {3});
  CHECK(one.propagation.end.value == Approx(3 + 2 + 1 + 9 + 1));
  // Ready at the same moment, the one that the stream served first is on the way to the other.
  const bool early_first = one.run.timeline.spans[early.value].start < one.run.timeline.spans[late.value].start;
  const std::vector<std::uint32_t> order =
      early_first ? std::vector<std::uint32_t>{first.value, second.value, early.value, late.value}
                  : std::vector<std::uint32_t>{first.value, second.value, late.value, early.value};
  CHECK(tasklets_of(one.steps()) == order);
  CHECK(one.steps()[1].queued);
  CHECK(one.steps()[3].queued);
}

TEST_CASE("tasklets of no length in one moment are no circle") {
  TaskletGraphBuilder builder;
  std::vector<TaskletId> chain;
  for (int i = 0; i < 6; ++i) chain.push_back(builder.add(computation(0, i == 3 ? 2 : 0)));
  for (const std::size_t later : {4U, 2U, 5U, 1U}) builder.order(chain[0], chain[later]);
  builder.order(chain[5], chain[1]);
  const Explained one = explained(builder, {1});
  CHECK(one.propagation.end == Seconds(2));
  CHECK(one.realised.order().size() == 6);
}

TEST_CASE("of every schedule, sync and barrier the path is as long as the iteration, and its parts add up") {
  Plan plan =
      test_plan(2, 3, 4, GENERATE("gpipe", "1f1b"), GENERATE("central_server", "sharded_server", "ring_all_reduce"));
  plan.phase_barrier = plan.schedule == "gpipe" && GENERATE(true, false);
  const Platform platform = load_cluster(test_cluster({2, 2, 2}, BandwidthLimit::per_sender_and_class));
  const TaskletGraph graph = pipeline_tasklets(test_job(1, 2, 150, 700), plan, platform.view, {});
  const Explained one(simulated(platform, graph));
  INFO(plan.schedule << " " << plan.gradient_sync << " " << plan.phase_barrier);
  const double iteration = one.run.timeline.end.value;
  for (std::size_t i = 0; i < graph.size(); ++i)
    REQUIRE(one.propagation.start[i].value == Approx(one.run.timeline.spans[i].start.value).margin(1e-9));
  CHECK(one.propagation.end.value == Approx(iteration));
  Seconds length;
  for (const CriticalStep& step : one.steps()) length += step.seconds();
  CHECK(length.value == Approx(iteration));
  const Attribution parts = attribute(one.steps(), graph, platform.view);
  CHECK(total(parts.phases) == Approx(iteration));
  CHECK(total(parts.links) + total(parts.devices) == Approx(iteration));
  CHECK(replay(graph, one.durations, one.realised.served()).value == Approx(iteration));
}

TEST_CASE("a replay lets a tasklet that comes earlier overtake") {
  // a (5 s) comes to device 2 at 3 s, b (1 s) at 4 s. With b's transfer twice as fast it comes first, and c waits for b only.
  TaskletGraphBuilder builder;
  const TaskletId to_a = builder.add(transfer(0, 2, 200));
  const TaskletId to_b = builder.add(computation(2, 4));
  const TaskletId a = builder.add(computation(3, 5)), b = builder.add(computation(3, 1));
  builder.order(to_a, a);
  builder.order(to_b, b);
  Explained one = explained(builder, {4});
  CHECK(one.propagation.end.value == Approx(3 + 5 + 1));
  one.durations[to_b.value].hold = Seconds(1);
  CHECK(propagate(one.realised, one.durations).end.value == Approx(3 + 5 + 1));
  CHECK(replay(one.run.graph, one.durations, one.realised.served()).value == Approx(3 + 5));
}
