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

  /// Whether `second` depends on `first`, over tasklets for which `may_pass` holds, and on one of its successors if `by_way`
  /// says so. False also where a search of some thousand tasklets does not tell.
  enum class Path { any, by_way };
  bool depends(TaskletId second, TaskletId first, Path path, const std::function<bool(TaskletId)>& may_pass);

  /// Whether both wait for the same tasklets, and the successors of each name `first` before `second`: the last of them makes
  /// both ready, in that order.
  bool wait_for_the_same(TaskletId first, TaskletId second);

 private:
  void find_predecessors();

  const TaskletGraph* graph_ = nullptr;
  std::vector<std::uint32_t> seen_;  // per tasklet, the number of the last question that met it
  std::uint32_t question_ = 0;
  std::vector<TaskletId> open_;
  std::vector<std::size_t> first_predecessor_;  // as in TaskletGraph; empty until it is needed
  std::vector<TaskletId> predecessors_;
};

}  // namespace longhaul
