// A static graph of tasklets: what is done, and what must be finished before what.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/workload/tasklet.hpp"

namespace longhaul {

/// Immutable once built. Tasklets are numbered in the order of their creation.
class TaskletGraph {
 public:
  const std::vector<Tasklet>& tasklets() const { return tasklets_; }
  std::size_t size() const { return tasklets_.size(); }
  const Tasklet& tasklet(TaskletId id) const { return tasklets_[id.value]; }

  /// How many tasklets must be finished before this one may start.
  std::uint32_t predecessor_count(TaskletId id) const { return predecessor_counts_[id.value]; }
  /// The tasklets that wait for this one: a range of ids.
  const TaskletId* successors_begin(TaskletId id) const { return successors_.data() + first_successor_[id.value]; }
  const TaskletId* successors_end(TaskletId id) const { return successors_.data() + first_successor_[id.value + 1]; }

  /// Such as "forward of micro-batch 5 on rank 12".
  std::string describe(TaskletId id) const;

 private:
  friend class TaskletGraphBuilder;
  std::vector<Tasklet> tasklets_;
  std::vector<std::size_t> first_successor_;  // size() + 1 offsets into successors_
  std::vector<TaskletId> successors_;
  std::vector<std::uint32_t> predecessor_counts_;
};

class TaskletGraphBuilder {
 public:
  /// Makes room for that many more.
  void reserve(std::size_t tasklets, std::size_t dependencies);
  TaskletId add(const Tasklet& tasklet);
  void order(TaskletId before, TaskletId after) { dependencies_.emplace_back(before, after); }
  /// Every tasklet of `before` must be finished before `after` starts.
  void order(const std::vector<TaskletId>& before, TaskletId after);
  const Tasklet& tasklet(TaskletId id) const { return tasklets_[id.value]; }

  /// Hands the graph over; the builder is empty afterwards.
  TaskletGraph build();

 private:
  std::vector<Tasklet> tasklets_;
  std::vector<std::pair<TaskletId, TaskletId>> dependencies_;
};

}  // namespace longhaul
