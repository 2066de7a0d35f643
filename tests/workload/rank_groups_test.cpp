// Ranks and groups of a plan: every pair that communicates stands in one.
#include <set>

#include <catch2/catch.hpp>

#include "sim/workload/pipeline_workload.hpp"
#include "sim/workload/rank_groups.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

std::size_t count(const std::vector<RankGroup>& groups, GroupKind kind) {
  std::size_t number = 0;
  for (const RankGroup& group : groups) number += group.kind == kind ? 1 : 0;
  return number;
}

}  // namespace

TEST_CASE("degrees give groups of their sizes") {
  Plan plan = test_plan(4, 3, 2, "1f1b", "ring_all_reduce");
  plan.degrees.tensor = 2;
  const std::vector<RankGroup> groups = rank_groups(test_job(1, 2, 3, 4), plan);
  CHECK(count(groups, GroupKind::tensor) == 12);
  CHECK(count(groups, GroupKind::pipeline) == 6);
  CHECK(count(groups, GroupKind::data) == 8);
  for (const RankGroup& group : groups)
    CHECK(group.ranks.size() == (group.kind == GroupKind::tensor ? 2U : group.kind == GroupKind::pipeline ? 4U : 3U));
}

TEST_CASE("two ranks that send each other something share a group, whatever the replicas are like") {
  Job job = test_job(1, 2, 3, 4);
  job.gradient_bytes.reset();
  Plan plan = test_plan(1, 1, 1, "1f1b", "ring_all_reduce");
  set_pipelines(plan, {{{12, 12}, {2, 1}, 1, 3, {}, ""}, {{5, 9, 10}, {1, 4, 2}, 1, 2, {}, ""}});
  for (std::size_t rank = 0; rank < plan.ranks(); ++rank) plan.rank_of_device.emplace_back(rank);
  const std::size_t devices = plan.ranks();
  const PlatformView platform{"test", std::vector<Device>(devices), std::vector<Path>(devices * devices)};
  std::set<std::pair<RankId, RankId>> together;
  for (const RankGroup& group : rank_groups(job, plan))
    for (const RankId a : group.ranks)
      for (const RankId b : group.ranks) together.emplace(a, b);
  std::size_t transfers = 0;
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform, {});
  for (const Tasklet& task : graph.tasklets()) {
    if (!is_transfer(task.kind)) continue;
    ++transfers;
    CHECK(together.count({task.rank, plan.rank_of_device[task.target.value]}) == 1);
  }
  CHECK(transfers > 30);
}
