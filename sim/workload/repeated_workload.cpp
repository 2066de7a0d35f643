#include "sim/workload/repeated_workload.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {

RepeatedWorkload::RepeatedWorkload(const TaskletGraph& graph, std::size_t iterations)
    : graph_(graph), iterations_(iterations), tasklets_(graph.tasklets()), is_last_(graph.size()) {
  require(iterations > 0 && graph.size() > 0, "there is nothing to repeat");
  tasklets_.insert(tasklets_.end(), graph.tasklets().begin(), graph.tasklets().end());
  std::vector<bool> follows_own(graph.size());
  std::size_t ranks = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const TaskletId id(i);
    const RankId rank = graph.tasklet(id).rank;
    ranks = std::max(ranks, std::size_t{rank.value} + 1);
    is_last_[i] = graph.successors_begin(id) == graph.successors_end(id);
    for (const TaskletId* next = graph.successors_begin(id); next != graph.successors_end(id); ++next)
      if (graph.tasklet(*next).rank == rank) follows_own[next->value] = true;
  }
  first_.resize(ranks);
  last_count_.assign(ranks, 0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Tasklet& task = graph.tasklet(TaskletId(i));
    if (!follows_own[i] && !is_transfer(task.kind)) first_[task.rank.value].emplace_back(i);
    if (is_last_[i]) ++last_count_[task.rank.value];
  }
}

const std::vector<TaskletId>& RepeatedWorkload::start() {
  ready_.clear();
  begin(0, std::vector<std::uint32_t>(ranks(), 0));
  if (iterations_ > 1) begin(1, slots_[0].last_open);
  return ready_;
}

void RepeatedWorkload::begin(std::size_t slot, const std::vector<std::uint32_t>& last_open_before) {
  Slot& iteration = slots_[slot];
  iteration.unfinished = graph_.size();
  iteration.last_open = last_count_;
  iteration.missing.resize(graph_.size());
  for (std::size_t i = 0; i < graph_.size(); ++i) iteration.missing[i] = graph_.predecessor_count(TaskletId(i));
  for (std::size_t rank = 0; rank < ranks(); ++rank)
    for (const TaskletId first : first_[rank]) iteration.missing[first.value] += last_open_before[rank];
  for (std::size_t i = 0; i < graph_.size(); ++i)
    if (iteration.missing[i] == 0) ready_.push_back(id_in(slot, i));
  ++begun_;
}

void RepeatedWorkload::release(std::size_t slot, TaskletId tasklet) {
  if (--slots_[slot].missing[tasklet.value] == 0) ready_.push_back(id_in(slot, tasklet.value));
}

const std::vector<TaskletId>& RepeatedWorkload::on_finished(TaskletId finished, Seconds now) {
  ready_.clear();
  const std::size_t slot = finished.value / graph_.size();
  const TaskletId id(finished.value % graph_.size());
  Slot& iteration = slots_[slot];
  for (const TaskletId* next = graph_.successors_begin(id); next != graph_.successors_end(id); ++next)
    release(slot, *next);
  // The other slot holds the following iteration, if there is one: the one before this was complete when this began, or holds
  // nothing more to release.
  if (is_last_[id.value]) {
    const std::size_t rank = graph_.tasklet(id).rank.value;
    --iteration.last_open[rank];
    const bool another_follows = begun_ > ends_.size() + 1 && slot == ends_.size() % 2;
    if (another_follows)
      for (const TaskletId first : first_[rank]) release(1 - slot, first);
  }
  if (--iteration.unfinished == 0) {
    ends_.push_back(now);
    if (begun_ < iterations_) begin(slot, slots_[1 - slot].last_open);
  }
  return ready_;
}

std::string RepeatedWorkload::describe_wait(TaskletId waiting) const {
  return graph_.describe(TaskletId(waiting.value % graph_.size())) + " of iteration " +
         std::to_string(ends_.size() + 1) + " or the next";
}

}  // namespace longhaul
