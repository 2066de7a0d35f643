#include "sim/workload/workload.hpp"

#include <algorithm>

namespace longhaul {

GraphWorkload::GraphWorkload(const TaskletGraph& graph) : graph_(graph), finished_(graph.size(), false) {
  for (std::size_t i = 0; i < graph.size(); ++i) missing_.push_back(graph.predecessor_count(TaskletId(i)));
}

const std::vector<TaskletId>& GraphWorkload::start() {
  ready_.clear();
  for (std::size_t i = 0; i < missing_.size(); ++i)
    if (missing_[i] == 0) ready_.emplace_back(i);
  return ready_;
}

const std::vector<TaskletId>& GraphWorkload::on_finished(TaskletId finished, Seconds /*now*/) {
  ready_.clear();
  finished_[finished.value] = true;
  for (const TaskletId* next = graph_.successors_begin(finished); next != graph_.successors_end(finished); ++next)
    if (--missing_[next->value] == 0) ready_.push_back(*next);
  return ready_;
}

std::string GraphWorkload::describe_wait(TaskletId waiting) const {
  std::string line = graph_.describe(waiting);
  const char* joint = " waits for ";
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    const TaskletId candidate(i);
    if (finished_[i] || std::find(graph_.successors_begin(candidate), graph_.successors_end(candidate), waiting) ==
                            graph_.successors_end(candidate))
      continue;
    line += joint + graph_.describe(candidate);
    joint = " and ";
  }
  return line;
}

}  // namespace longhaul
