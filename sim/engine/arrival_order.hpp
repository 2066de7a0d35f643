// Which of two tasklets becomes ready first when time does not tell: what the graph says about it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// Working memory for questions about one graph.
class ArrivalOrder {
 public:
  /// Later questions are about this graph, which must stay as it is.
  void reset(const TaskletGraph& graph);

  /// Whether `first` must be ready before `second` whatever takes how long: `second` depends on it, over tasklets for which
  /// `may_pass` holds; or both wait for the same tasklets, whose successors name `first` before `second` (the last of them
  /// makes both ready, in that order). False also where a search of some thousand tasklets does not tell.
  bool certain(TaskletId first, TaskletId second, const std::function<bool(TaskletId)>& may_pass);

 private:
  bool depends(TaskletId first, TaskletId second, const std::function<bool(TaskletId)>& may_pass);
  bool wait_for_the_same(TaskletId first, TaskletId second);
  void find_predecessors();

  const TaskletGraph* graph_ = nullptr;
  std::vector<std::uint32_t> seen_;  // per tasklet, the number of the last question that met it
  std::uint32_t question_ = 0;
  std::vector<TaskletId> open_;
  std::vector<std::size_t> first_predecessor_;  // as in TaskletGraph; empty until it is needed
  std::vector<TaskletId> predecessors_;
};

}  // namespace longhaul
