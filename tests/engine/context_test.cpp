// Context parallelism: who holds which part, what parts exchange, compute and keep.
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "sim/workload/rank_groups.hpp"
#include "sim/workload/rank_times.hpp"
#include "sim/workload/repeated_workload.hpp"
#include "sim/workload/sync_team.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

// Every fourth head has keys and values of its own.
Job grouped_queries() {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  job.model.key_value_heads = job.model.heads / 4;
  return job;
}

Plan plan_of(const Degrees& degrees, std::size_t micro_batches = 3, const std::string& schedule = "1f1b") {
  Plan plan = test_plan(degrees.pipeline, degrees.data, micro_batches, schedule, "ring_all_reduce");
  plan.degrees = degrees;
  plan.rank_of_device.clear();
  for (std::size_t rank = 0; rank < plan.ranks(); ++rank) plan.rank_of_device.emplace_back(rank);
  return plan;
}

PlatformView devices(std::size_t count) {
  Device device;
  device.peak = FlopsPerSecond(1e14);
  return {"test", std::vector<Device>(count, device),
          std::vector<Path>(count * count, Path{Seconds(0), BytesPerSecond(1e12)})};
}

TaskletGraph graph_of(const Job& job, const Plan& plan) {
  return pipeline_tasklets(job, plan, devices(plan.ranks()), {});
}

// What every rank sends in transfers of a kind; -1 where two that send send different amounts.
double sent(const TaskletGraph& graph, TaskletKind kind) {
  std::map<RankId, double> bytes;
  for (const Tasklet& task : graph.tasklets())
    if (task.kind == kind) bytes[task.rank] += task.bytes.value;
  for (const auto& [rank, of_rank] : bytes)
    if (std::abs(of_rank - bytes.begin()->second) > 1e-9 * of_rank) return -1;
  return bytes.empty() ? 0 : bytes.begin()->second;
}

Seconds compute_of(const Job& job, const Plan& plan, TaskletKind kind) {
  Tasklet task;
  task.kind = kind;
  RankTimes(job, plan, devices(plan.ranks()), {}).set_times(task);
  return task.compute;
}

Seconds end_of(const Platform& platform, const Job& job, const Plan& plan) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
  GraphWorkload workload(graph);
  return simulate(platform, workload, {}).end;
}

}  // namespace

TEST_CASE("ranks are numbered stage by stage, part by part, slice by slice") {
  const Plan plan = plan_of({2, 2, 2, 3});
  const RankLayout layout(plan);
  REQUIRE(layout.ranks() == 24);
  REQUIRE(plan.ranks() == 24);
  for (std::size_t number = 0; number < 24; ++number) {
    const RankId rank(number);
    CHECK(layout.replica(rank).value == number / 12);
    CHECK(layout.stage(rank).value == number / 6 % 2);
    CHECK(layout.part(rank) == number / 2 % 3);
    CHECK(layout.slice(rank) == number % 2);
    CHECK(layout.rank(layout.replica(rank), layout.stage(rank), layout.member(rank)) == rank);
    CHECK(plan.degrees.rank(layout.replica(rank), layout.stage(rank), layout.member(rank)) == rank);
    CHECK(plan.degrees.replica(rank) == layout.replica(rank));
    CHECK(plan.degrees.stage(rank) == layout.stage(rank));
  }
  CHECK(layout.slices(Replica(1), Stage(1)) == 2);
  // Megatron-LM: slices, parts, replicas, stages.
  CHECK(plan.degrees.from_megatron(6) == plan.degrees.rank(Replica(1), Stage(0), 0));
  CHECK(plan.degrees.from_megatron(17) == plan.degrees.rank(Replica(0), Stage(1), 5));
}

TEST_CASE("parts gather keys and values forward and backward and scatter their gradients") {
  for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full})
    for (const std::size_t tensor : {1U, 2U})
      for (const std::size_t context : {2U, 3U, 8U}) {
        INFO("tensor " << tensor << ", context " << context);
        Job job = grouped_queries();
        job.recompute = recompute;
        Plan plan = plan_of({2, 1, tensor, context});
        plan.micro_batch_size = 2;
        const TaskletGraph graph = graph_of(job, plan);
        const double exchanges = recompute == Recompute::none ? 3 : 4;
        const double gathered = 2.0 * 2048 * 2 * 2048 / 4 / static_cast<double>(tensor) * 2;
        const double others = static_cast<double>(context - 1) / static_cast<double>(context);
        CHECK(sent(graph, TaskletKind::context_transfer) == Approx(3 * 12 * exchanges * gathered * others));
        const RankLayout layout(plan);
        for (const Tasklet& task : graph.tasklets()) {
          if (task.kind != TaskletKind::context_transfer) continue;
          const RankId target = plan.rank_of_device[task.target.value];
          CHECK(layout.cell(task.rank) == layout.cell(target));
          CHECK(layout.slice(task.rank) == layout.slice(target));
          CHECK(layout.part(task.rank) != layout.part(target));
          CHECK(task.messages % 12 == 0);  // each layer pays the latency
        }
      }
}

TEST_CASE("parts send and sum their share of the activations") {
  for (const std::size_t tensor : {1U, 2U}) {
    const Job job = grouped_queries();
    const TaskletGraph whole = graph_of(job, plan_of({2, 1, tensor, 1}));
    const TaskletGraph parts = graph_of(job, plan_of({2, 1, tensor, 4}));
    for (const TaskletKind kind : {TaskletKind::activation_transfer, TaskletKind::tensor_transfer})
      CHECK(sent(parts, kind) == Approx(sent(whole, kind) / 4));
  }
}

TEST_CASE("a part takes its share of the computing, but updates all weights") {
  Job job = grouped_queries();
  const Plan whole = plan_of({2, 1, 2, 1});
  const Plan parts = plan_of({2, 1, 2, 4});
  for (const TaskletKind kind : {TaskletKind::forward, TaskletKind::backward})
    CHECK(compute_of(job, parts, kind).value == Approx(compute_of(job, whole, kind).value / 4));
  CHECK(compute_of(job, parts, TaskletKind::weight_update) == compute_of(job, whole, TaskletKind::weight_update));
  const auto flops = [&](const Plan& plan, TaskletKind kind) {
    double sum = 0;
    const TaskletGraph graph = graph_of(job, plan);
    for (const Tasklet& task : graph.tasklets()) sum += task.kind == kind ? task.flops.value : 0;
    return sum;
  };
  CHECK(flops(parts, TaskletKind::backward) == Approx(flops(whole, TaskletKind::backward)));
}

TEST_CASE("kernels see a part of the tokens, whose queries meet all keys") {
  Job job = grouped_queries();
  job.compute.kernels.emplace();
  job.compute.kernels->multiply_efficiency = 0.8;
  job.compute.kernels->memory_efficiency = 0.8;
  const auto forward = [&](std::size_t context, double bandwidth) {
    Device device;
    device.peak = FlopsPerSecond(1e14);
    device.type = "test";
    job.compute.kernels->memory_bandwidth = {{"test", BytesPerSecond(bandwidth)}};
    const Plan plan = plan_of({2, 1, 1, context});
    const std::vector<StageLoad> loads = stage_loads(job, plan.layers_per_stage, 1);
    return stage_times(job, plan, loads[0], Stage(0), device).forward.value;
  };
  // Without waiting for memory all of it is divided; with, weights are read in full by every part.
  CHECK(forward(2, 1e18) == Approx(forward(1, 1e18) / 2).epsilon(1e-4));
  CHECK(forward(2, 1e9) > forward(1, 1e9) / 2 * 1.001);
}

TEST_CASE("gradients are synchronised by all parts of all replicas") {
  const Job job = grouped_queries();
  const Plan plan = plan_of({2, 2, 2, 3});
  const RankLayout layout(plan);
  const std::vector<SyncTeam> teams = sync_teams(job, plan, layout).teams;
  REQUIRE(teams.size() == 4);
  const std::vector<StageLoad> loads = stage_loads(job, plan.layers_per_stage, 1);
  for (std::size_t team = 0; team < 4; ++team) {
    CHECK(teams[team].gradient.value == Approx(loads[team / 2].gradient.value / 2));
    REQUIRE(teams[team].ranks.size() == 6);
    for (std::size_t member = 0; member < 6; ++member)
      CHECK(teams[team].ranks[member] ==
            layout.rank(Replica(member / 3), Stage(team / 2), member % 3 * 2 + team % 2));
  }
  const double others = 5.0 / 6;
  const TaskletGraph graph = graph_of(job, plan_of({1, 2, 2, 3}));
  const double gradient = stage_loads(job, {24}, 1)[0].gradient.value / 2;
  CHECK(sent(graph, TaskletKind::gradient_transfer) == Approx(2 * others * gradient));
}

TEST_CASE("one replica in parts synchronises its gradients too, and ZeRO shards over them") {
  const Job job = grouped_queries();
  Plan plan = plan_of({1, 1, 1, 4}, 1);
  plan.sync_groups = 3;
  const double gradient = stage_loads(job, {24}, 1)[0].gradient.value;
  for (const std::size_t zero : {0U, 1U, 2U, 3U}) {
    INFO("ZeRO " << zero);
    plan.zero = zero;
    const TaskletGraph graph = graph_of(job, plan);
    const double volume = zero == 3 ? 3 : 2;
    CHECK(sent(graph, TaskletKind::gradient_transfer) + sent(graph, TaskletKind::parameter_transfer) ==
          Approx(volume * gradient * 3 / 4));
    const StageMemory memory = stage_memory(job, plan)[0];
    const double parameters = total_parameters(job.model);
    CHECK(memory.optimizer.value == Approx(parameters * 12 / (zero > 0 ? 4 : 1)));
    CHECK(memory.gradients.value == Approx(parameters * 2 / (zero > 1 ? 4 : 1)));
  }
}

TEST_CASE("a part keeps its share of the activations and all of the parameters") {
  for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
    Job job = grouped_queries();
    job.recompute = recompute;
    job.model.head = Head::language_model;
    const StageMemory whole = stage_memory(job, plan_of({2, 1, 2, 1}))[1];
    const StageMemory parts = stage_memory(job, plan_of({2, 1, 2, 4}))[1];
    CHECK(parts.parameters == whole.parameters);
    CHECK(parts.gradients == whole.gradients);
    CHECK(parts.optimizer == whole.optimizer);
    CHECK(parts.activations.value == Approx(whole.activations.value / 4));
    CHECK(parts.working_set.value == Approx(whole.working_set.value / 4));
    CHECK(parts.logits.value == Approx(whole.logits.value / 4));
    // Messages, and keys, values and their gradients of a layer.
    const double gathered = 2 * 2.0 * 2048 * 2048 / 4 / 2 * 2;
    CHECK(parts.messages.value == Approx(whole.messages.value / 4 + gathered));
  }
}

TEST_CASE("on a free network two parts take half as long") {
  Cluster cluster = test_cluster({4}, BandwidthLimit::per_pair);
  for (LinkFigures& figures : cluster.between) figures = link_figures(0, 1e18);
  const Platform four = load_cluster(cluster);
  cluster.machines.resize(2);
  const Platform two = load_cluster(cluster);
  Job job = grouped_queries();
  job.compute.weight_update = Seconds(0);
  for (const char* schedule : {"gpipe", "1f1b", "zb_h1", "interleaved_1f1b"}) {
    INFO(schedule);
    Plan whole = plan_of({2, 1, 1, 1}, 4, schedule);
    Plan parts = plan_of({2, 1, 1, 2}, 4, schedule);
    if (find_pipeline_schedule(schedule)->interleaves) whole.virtual_stages = parts.virtual_stages = 2;
    CHECK(end_of(four, job, parts).value == Approx(end_of(two, job, whole).value / 2).epsilon(1e-4));
  }
}

TEST_CASE("two ranks that send each other something share a group, parts or not") {
  Job job = grouped_queries();
  const Plan plan = plan_of({2, 2, 2, 2});
  std::map<GroupKind, std::size_t> counts;
  std::set<std::pair<RankId, RankId>> together;
  for (const RankGroup& group : rank_groups(job, plan)) {
    ++counts[group.kind];
    CHECK(group.ranks.size() == (group.kind == GroupKind::data ? 4 : 2));
    for (const RankId a : group.ranks)
      for (const RankId b : group.ranks) together.emplace(a, b);
  }
  CHECK(counts[GroupKind::tensor] == 8);
  CHECK(counts[GroupKind::context] == 8);
  CHECK(counts[GroupKind::pipeline] == 8);
  CHECK(counts[GroupKind::data] == 4);
  const TaskletGraph graph = graph_of(job, plan);
  for (const Tasklet& task : graph.tasklets())
    if (is_transfer(task.kind)) CHECK(together.count({task.rank, plan.rank_of_device[task.target.value]}) == 1);
}

TEST_CASE("experts are shared by replicas and exchanged part by part") {
  Job job;
  job.model = find_model("mixtral_8x7b", {});
  Plan whole = plan_of({1, 4, 1, 1});
  Plan parts = plan_of({1, 4, 1, 2});
  whole.layers_per_stage = parts.layers_per_stage = {32};
  whole.expert = parts.expert = 4;
  CHECK(sent(graph_of(job, parts), TaskletKind::expert_transfer) ==
        Approx(sent(graph_of(job, whole), TaskletKind::expert_transfer) / 2));
  // The two parts of a replica hold the same experts.
  CHECK(sync_teams(job, whole, RankLayout(whole)).teams.size() == 1);
  const std::vector<SyncTeam> teams = sync_teams(job, parts, RankLayout(parts)).teams;
  REQUIRE(teams.size() == 1 + 4);
  CHECK(teams[3].ranks == std::vector<RankId>{RankId(4), RankId(5)});
}
