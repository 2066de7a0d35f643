#include "sim/engine/arrival_order.hpp"

#include <algorithm>

namespace longhaul {
namespace {

constexpr std::size_t most_steps = 10'000;

}  // namespace

void ArrivalOrder::reset(const TaskletGraph& graph) {
  graph_ = &graph;
  seen_.assign(graph.size(), 0);
  question_ = 0;
  first_predecessor_.clear();
}

bool ArrivalOrder::depends(TaskletId second, TaskletId first, Path path,
                           const std::function<bool(TaskletId)>& may_pass) {
  ++question_;
  open_.assign(1, first);
  for (std::size_t step = 0; !open_.empty() && step < most_steps; ++step) {
    const TaskletId tasklet = open_.back();
    open_.pop_back();
    for (const TaskletId* next = graph_->successors_begin(tasklet); next != graph_->successors_end(tasklet); ++next) {
      if (*next == second && (path == Path::any || tasklet != first)) return true;
      if (*next == second || seen_[next->value] == question_ || !may_pass(*next)) continue;
      seen_[next->value] = question_;
      open_.push_back(*next);
    }
  }
  return false;
}

bool ArrivalOrder::wait_for_the_same(TaskletId first, TaskletId second) {
  if (graph_->predecessor_count(first) != graph_->predecessor_count(second)) return false;
  if (first_predecessor_.empty()) find_predecessors();
  const auto begin = [this](TaskletId id) { return predecessors_.data() + first_predecessor_[id.value]; };
  const auto end = [this](TaskletId id) { return predecessors_.data() + first_predecessor_[id.value + 1]; };
  if (begin(first) == end(first)) return first < second;
  if (!std::equal(begin(first), end(first), begin(second))) return false;
  return std::all_of(begin(first), end(first), [&](TaskletId before) {
    const TaskletId* const names = graph_->successors_begin(before);
    const TaskletId* const last = graph_->successors_end(before);
    return std::find(names, last, first) < std::find(names, last, second);
  });
}

// Ascending for each tasklet.
void ArrivalOrder::find_predecessors() {
  first_predecessor_.assign(graph_->size() + 1, 0);
  for (std::size_t i = 0; i < graph_->size(); ++i)
    first_predecessor_[i + 1] = first_predecessor_[i] + graph_->predecessor_count(TaskletId(i));
  predecessors_.resize(first_predecessor_.back());
  std::vector<std::size_t> next(first_predecessor_.begin(), first_predecessor_.end() - 1);
  for (std::size_t i = 0; i < graph_->size(); ++i)
    for (const TaskletId* after = graph_->successors_begin(TaskletId(i));
         after != graph_->successors_end(TaskletId(i)); ++after)
      predecessors_[next[after->value]++] = TaskletId(i);
}

}  // namespace longhaul
