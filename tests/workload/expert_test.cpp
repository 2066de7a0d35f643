// Experts: parameters, who holds and synchronises what, and the bytes of tokens.
#include <map>

#include <catch2/catch.hpp>

#include "sim/workload/memory.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "sim/workload/rank_groups.hpp"
#include "sim/workload/rank_times.hpp"
#include "sim/workload/sync_team.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

Job mixtral() {
  Job job;
  job.model = find_model("mixtral_8x7b", {});
  job.precision = "bf16";
  job.compute.weight_update = Seconds(8);
  return job;
}

Plan plan_of(std::size_t pipeline, std::size_t data, std::size_t tensor, std::size_t expert) {
  Plan plan = test_plan(pipeline, data, 3, "1f1b", "ring_all_reduce");
  plan.degrees.tensor = tensor;
  plan.layers_per_stage = even_layers(32, pipeline);
  plan.expert = expert;
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

double held(const Job& job, std::size_t layers, bool first, bool last, std::size_t tensor, std::size_t expert) {
  const Model& model = job.model;
  double parameters =
      (parameters_per_layer(model) - expert_parameters_per_layer(model)) * static_cast<double>(layers);
  if (first) parameters += embedding_parameters(model);
  if (last) parameters += head_parameters(model);
  parameters += expert_parameters_per_layer(model) / static_cast<double>(expert) * static_cast<double>(layers);
  return parameters / static_cast<double>(tensor);
}

}  // namespace

TEST_CASE("Mixtral has 46.7 billion parameters, of which a token passes 12.9 (arXiv 2401.04088)") {
  const Model model = find_model("mixtral_8x7b", {});
  CHECK(total_parameters(model) / 1e9 == Approx(46.7).epsilon(0.001));
  const double passed = total_parameters(model) - expert_parameters_per_layer(model) * 32 * (6.0 / 8);
  CHECK(passed / 1e9 == Approx(12.9).epsilon(0.002));
  // FLOP count the experts that a token passes: 2 s per weight, but for norms, and attention.
  const double tokens = 4096;
  const double weights = parameters_per_layer(model) - expert_parameters_per_layer(model) * (6.0 / 8) - 2 * 4096;
  CHECK(layer_forward_flops(model).value == Approx(2 * tokens * weights + 4 * tokens * tokens * 4096));
  CHECK(expert_parameters_per_layer(find_model("llama2_7b", {})) == 0);
}

TEST_CASE("every rank holds, updates and synchronises its share of the experts") {
  const Job job = mixtral();
  for (const std::size_t expert : {1U, 2U, 4U, 8U})
    for (const std::size_t tensor : {1U, 2U})
      for (const std::size_t groups : {1U, 3U}) {
        INFO(expert << " replicas, tensor " << tensor << ", " << groups << " sync groups");
        Plan plan = plan_of(2, 8, tensor, expert);
        plan.sync_groups = groups;
        const RankLayout layout(plan);
        std::map<RankId, double> synchronised;
        for (const SyncTeam& team : sync_teams(job, plan, layout).teams) {
          double shares = 0;
          for (const SyncTeam::Piece& piece : team.pieces) shares += piece.share;
          CHECK(shares == Approx(1));
          CHECK((team.ranks.size() == 8 || team.ranks.size() == 8 / expert));
          for (const RankId rank : team.ranks) synchronised[rank] += team.gradient.value;
        }
        for (std::size_t stage = 0; stage < 2; ++stage) {
          const double parameters = held(job, 16, stage == 0, stage == 1, tensor, expert);
          // With all replicas sharing the experts, nobody else holds a rank's own.
          const double shared =
              expert == 8 ? parameters - expert_parameters_per_layer(job.model) / 8 * 16 / static_cast<double>(tensor)
                          : parameters;
          CHECK(synchronised[layout.rank(Replica(5), Stage(stage), 0)] == Approx(shared * 2));
          const StageMemory memory = stage_memory(job, plan)[stage];
          CHECK(memory.parameters.value == Approx(parameters * 2));
          CHECK(memory.optimizer.value == Approx(parameters * 12));
        }
      }
}

TEST_CASE("with ZeRO-1 every parameter's optimizer stands once") {
  const Job job = mixtral();
  Plan plan = plan_of(1, 8, 1, 4);
  plan.zero = 1;
  CHECK(stage_memory(job, plan)[0].optimizer.value == Approx(total_parameters(job.model) * 12 / 8));
}

TEST_CASE("tokens go to their experts and back: 2 k (e - 1) / e activations per layer and direction") {
  for (const Recompute recompute : {Recompute::none, Recompute::full})
    for (const std::size_t expert : {2U, 4U, 8U}) {
      Job job = mixtral();
      job.recompute = recompute;
      const std::size_t tensor = 2;
      const Plan plan = plan_of(2, 8, tensor, expert);
      const TaskletGraph graph = pipeline_tasklets(job, plan, devices(plan.ranks()), {});
      std::map<RankId, double> sent;
      std::map<std::size_t, double> reached;
      for (const Tasklet& task : graph.tasklets()) {
        if (task.kind != TaskletKind::expert_transfer) continue;
        sent[task.rank] += task.bytes.value;
        ++reached[task.target.value];
        const RankLayout layout(plan);
        const RankId target = plan.rank_of_device[task.target.value];
        CHECK(layout.stage(task.rank) == layout.stage(target));
        CHECK(layout.slice(task.rank) == layout.slice(target));
        CHECK(layout.replica(task.rank).value / expert == layout.replica(target).value / expert);
      }
      const double activation = 4096.0 * 4096 * 2;
      const double directions = recompute == Recompute::full ? 2 + 4 : 2 + 2;
      const auto others = static_cast<double>(expert - 1) / static_cast<double>(expert);
      const double expected = 3 * 16 * directions * 2 * activation / static_cast<double>(tensor) * others;
      REQUIRE(sent.size() == plan.ranks());
      CHECK(reached.size() == plan.ranks());
      for (const auto& [rank, bytes] : sent) CHECK(bytes == Approx(expected));
    }
}

TEST_CASE("ranks update what they hold") {
  const Job job = mixtral();
  const Plan plan = plan_of(2, 8, 1, 4);
  const RankTimes times(job, plan, devices(16), {});
  Tasklet update;
  update.kind = TaskletKind::weight_update;
  times.set_times(update);
  CHECK(update.compute.value == Approx(8 * held(job, 16, true, false, 1, 4) / held(job, 16, true, false, 1, 1)));
}
