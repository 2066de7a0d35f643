#include "sim/workload/sync_group.hpp"

#include <catch2/catch.hpp>

#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

Plan plan_of(std::size_t groups) {
  Plan plan = test_plan(4, 2, 3, "gpipe", "ring_all_reduce");
  plan.layers_per_stage = {1, 7, 8, 8};
  plan.sync_groups = groups;
  return plan;
}

PlatformView eight_devices() { return {"test", std::vector<Device>(8), std::vector<Path>(64)}; }

std::size_t count_of(const TaskletGraph& graph, TaskletKind kind) {
  std::size_t count = 0;
  for (const Tasklet& task : graph.tasklets()) count += task.kind == kind ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("the sync groups of a stage are all of it, from its last layer to its first") {
  const Job job = test_job(1, 2, 3, 4);
  for (std::size_t groups = 1; groups <= 8; ++groups)
    for (std::size_t stage = 0; stage < 4; ++stage) {
      INFO(groups << " groups on stage " << stage);
      const Plan plan = plan_of(groups);
      const std::vector<SyncGroup> parts = sync_groups_of(job, plan, Stage(stage));
      CHECK(parts.size() == std::min(groups, plan.layers_per_stage[stage]));
      std::size_t layers = 0;
      double backward = 0;
      double gradient = 0;
      for (const SyncGroup& part : parts) {
        layers += part.layers;
        backward += part.backward_share;
        gradient += part.gradient_share;
      }
      CHECK(layers == plan.layers_per_stage[stage]);
      CHECK(backward == Approx(1).epsilon(1e-12));
      CHECK(gradient == Approx(1).epsilon(1e-12));
    }
}

TEST_CASE("one sync group is all of the stage, to the last bit") {
  const SyncGroup one = sync_groups_of(test_job(1, 2, 3, 4), plan_of(1), Stage(3)).front();
  CHECK(one.backward_share == 1);
  CHECK(one.gradient_share == 1);
}

TEST_CASE("the head goes with the last layers, the embeddings with the first") {
  const Job job = test_job(1, 2, 3, 4);
  Plan plan = test_plan(1, 2, 1, "gpipe", "ring_all_reduce");
  plan.sync_groups = 24;
  const std::vector<SyncGroup> parts = sync_groups_of(job, plan, Stage(0));
  const double all = total_parameters(job.model);
  CHECK(parts.front().gradient_share == Approx((parameters_per_layer(job.model) + head_parameters(job.model)) / all));
  CHECK(parts[1].gradient_share == Approx(parameters_per_layer(job.model) / all));
  CHECK(parts.back().gradient_share ==
        Approx((parameters_per_layer(job.model) + embedding_parameters(job.model)) / all));
}

TEST_CASE("sync groups add a backward tasklet per rank and group, whatever the batch, and no FLOP") {
  const Job job = test_job(1, 2, 3, 4);
  const auto flops = [](const TaskletGraph& graph) {
    Flops sum;
    for (const Tasklet& task : graph.tasklets()) sum += task.flops;
    return sum.value;
  };
  Plan plan = plan_of(1);
  plan.passes = 3;
  const TaskletGraph whole = pipeline_tasklets(job, plan, eight_devices(), {});
  plan.sync_groups = 4;
  const TaskletGraph split = pipeline_tasklets(job, plan, eight_devices(), {});
  // Two replicas of stages of 1, 7, 8 and 8 layers: 0 + 3 + 3 + 3 more pieces; a ring of two has four transfers.
  CHECK(count_of(split, TaskletKind::backward) == count_of(whole, TaskletKind::backward) + 2 * 9);
  CHECK(count_of(split, TaskletKind::gradient_transfer) == 4 * (1 + 4 + 4 + 4));
  CHECK(split.size() == whole.size() + 2 * 9 + 4 * 9);
  CHECK(flops(split) == Approx(flops(whole)).epsilon(1e-12));
}

TEST_CASE("without replicas nothing is split") {
  Plan plan = test_plan(8, 1, 3, "1f1b", "ring_all_reduce");
  const Job job = test_job(1, 2, 3, 4);
  const std::size_t whole = pipeline_tasklets(job, plan, eight_devices(), {}).size();
  plan.sync_groups = 3;
  CHECK(pipeline_tasklets(job, plan, eight_devices(), {}).size() == whole);
}
