#include "sim/workload/tasklet_graph.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace longhaul {

std::string TaskletGraph::describe(TaskletId id) const {
  const Tasklet& task = tasklet(id);
  std::string text = fmt::format("{} {}", id.value, name_of(task.kind));
  if (task.micro_batch != no_micro_batch) text += fmt::format(" of micro-batch {}", task.micro_batch.value);
  text += fmt::format(" by rank {} on device {}", task.rank.value, task.device.value);
  if (is_transfer(task.kind)) text += fmt::format(" to device {}", task.target.value);
  return text;
}

void TaskletGraphBuilder::reserve(std::size_t tasklets, std::size_t dependencies) {
  tasklets_.reserve(tasklets_.size() + tasklets);
  dependencies_.reserve(dependencies_.size() + dependencies);
}

TaskletId TaskletGraphBuilder::add(const Tasklet& tasklet) {
  tasklets_.push_back(tasklet);
  return TaskletId(tasklets_.size() - 1);
}

void TaskletGraphBuilder::order(const std::vector<TaskletId>& before, TaskletId after) {
  for (const TaskletId tasklet : before) order(tasklet, after);
}

TaskletGraph TaskletGraphBuilder::build() {
  TaskletGraph graph;
  const std::size_t count = tasklets_.size();
  graph.predecessor_counts_.assign(count, 0);
  graph.first_successor_.assign(count + 1, 0);
  for (const auto& [before, after] : dependencies_) {
    require(before.value < count && after.value < count, "a dependency names a tasklet that does not exist");
    ++graph.first_successor_[before.value + 1];
    ++graph.predecessor_counts_[after.value];
  }
  for (std::size_t i = 0; i < count; ++i) graph.first_successor_[i + 1] += graph.first_successor_[i];
  graph.successors_.resize(dependencies_.size());
  // Each offset moves to the end of its range, which is where the next begins.
  for (const auto& [before, after] : dependencies_) graph.successors_[graph.first_successor_[before.value]++] = after;
  for (std::size_t i = count; i > 0; --i) graph.first_successor_[i] = graph.first_successor_[i - 1];
  graph.first_successor_[0] = 0;
  graph.tasklets_ = std::move(tasklets_);
  tasklets_.clear();
  dependencies_.clear();
  return graph;
}

}  // namespace longhaul
