#include "sim/workload/graph_analysis.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/workload/workload.hpp"

using namespace longhaul;

namespace {

Tasklet on_rank(std::size_t rank) {
  Tasklet task;
  task.rank = RankId(rank);
  return task;
}

std::vector<Seconds> seconds(std::initializer_list<double> values) {
  std::vector<Seconds> result;
  for (const double value : values) result.emplace_back(value);
  return result;
}

// 0 -> 1 -> 3, 0 -> 2 -> 3
TaskletGraph diamond() {
  TaskletGraphBuilder builder;
  for (std::size_t i = 0; i < 4; ++i) builder.add(on_rank(i));
  builder.order(TaskletId(0), TaskletId(1));
  builder.order(TaskletId(0), TaskletId(2));
  builder.order({TaskletId(1), TaskletId(2)}, TaskletId(3));
  return builder.build();
}

}  // namespace

TEST_CASE("a topological order puts every tasklet after its predecessors") {
  const std::vector<TaskletId> order = topological_order(diamond());
  REQUIRE(order.size() == 4);
  CHECK(order.front() == TaskletId(0));
  CHECK(order.back() == TaskletId(3));
}

TEST_CASE("a cycle is named, tasklet by tasklet") {
  TaskletGraphBuilder builder;
  for (std::size_t i = 0; i < 4; ++i) builder.add(on_rank(i));
  builder.order(TaskletId(0), TaskletId(1));
  builder.order(TaskletId(1), TaskletId(2));
  builder.order(TaskletId(2), TaskletId(3));
  builder.order(TaskletId(3), TaskletId(1));
  const TaskletGraph graph = builder.build();
  CHECK_THROWS_WITH(
      topological_order(graph),
      "the tasklets wait for each other in a circle: 1 forward by rank 1 on device 0 -> 2 forward by rank 2 on "
      "device 0 -> 3 forward by rank 3 on device 0 -> 1 forward by rank 1 on device 0");
}

TEST_CASE("the critical path is the longest chain") {
  const CriticalPath path = critical_path(diamond(), seconds({1, 5, 2, 1}));
  CHECK(path.length == Seconds(7));
  CHECK(path.tasklets == std::vector<TaskletId>{TaskletId(0), TaskletId(1), TaskletId(3)});
  CHECK(critical_path(diamond(), seconds({1, 2, 5, 1})).tasklets[1] == TaskletId(2));
  CHECK_THROWS_AS(critical_path(diamond(), seconds({1})), InternalError);
}

TEST_CASE("a graph workload releases a tasklet when its last predecessor has finished") {
  const TaskletGraph graph = diamond();
  GraphWorkload workload(graph);
  CHECK(workload.start() == std::vector<TaskletId>{TaskletId(0)});
  CHECK(workload.on_finished(TaskletId(0), Seconds(1)) == std::vector<TaskletId>{TaskletId(1), TaskletId(2)});
  CHECK(workload.on_finished(TaskletId(2), Seconds(2)).empty());
  CHECK(workload.describe_wait(TaskletId(3)) ==
        "3 forward by rank 3 on device 0 waits for 1 forward by rank 1 on device 0");
  CHECK(workload.on_finished(TaskletId(1), Seconds(3)) == std::vector<TaskletId>{TaskletId(3)});
}
