#include "sim/engine/fast_plan_evaluator.hpp"

#include "sim/base/error.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/workload_builder.hpp"

namespace longhaul {
namespace {

// Calls `tell` with each rank whose device matters to the time of a tasklet; the first is the tasklet's own.
template <class Tell>
void each_rank_concerned(const Tasklet& task, RankId target, const ChunkChain& chain, Tell tell) {
  tell(task.rank);
  if (target != task.rank) tell(target);
  if (task.kind == TaskletKind::forward)
    for (const ChunkPeer& receiver : chain.after(task.rank, task.chunk)) tell(receiver.rank);
  if (task.kind == TaskletKind::backward)
    for (const ChunkPeer& receiver : chain.before(task.rank, task.chunk)) tell(receiver.rank);
}

}  // namespace

FastPlanEvaluator::FastPlanEvaluator(const Job& job, const PlatformView& platform, const NetworkModel& network)
    : job_(job), platform_(platform), network_(network) {
  if (network.equations != NetworkEquations::raw)
    throw UserError({}, std::string("the network model is ") + name_of(network.equations),
                    "plans are evaluated with raw equations", "network.model raw");
}

Seconds FastPlanEvaluator::evaluate(const Plan& plan) {
  const Collective* sync = find_collective(plan.gradient_sync);
  const bool depends_on_place = sync == nullptr || sync->by_place || !plan.activation_compression.is_uniform() ||
                                !plan.gradient_compression.is_uniform() || network_.tensor_sums;
  if (plan_ && same_but_placement(*plan_, plan) && !depends_on_place)
    place(plan);
  else
    build(plan);
  return evaluator_.run();
}

void FastPlanEvaluator::build(const Plan& plan) {
  plan_.reset();
  graph_ = find_workload_builder(plan.workload)->build(job_, plan, platform_, network_);
  times_.emplace(job_, plan, platform_, network_);
  evaluator_.prepare(graph_, platform_, network_);
  plan_ = plan;

  const std::size_t ranks = plan.ranks();
  target_rank_.resize(graph_.size());
  first_concern_.assign(ranks + 1, 0);
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    const Tasklet& task = graph_.tasklet(TaskletId(i));
    target_rank_[i] = plan.rank_of_device[task.target.value];
    each_rank_concerned(task, target_rank_[i], times_->chain(),
                        [&](RankId rank) { ++first_concern_[rank.value + 1]; });
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) first_concern_[rank + 1] += first_concern_[rank];
  concerns_.resize(first_concern_[ranks]);
  std::vector<std::size_t> next(first_concern_.begin(), first_concern_.end() - 1);
  for (std::size_t i = 0; i < graph_.size(); ++i)
    each_rank_concerned(graph_.tasklet(TaskletId(i)), target_rank_[i], times_->chain(),
                        [&](RankId rank) { concerns_[next[rank.value]++] = TaskletId(i); });
}

void FastPlanEvaluator::place(const Plan& plan) {
  times_->place(plan.rank_of_device);
  for (std::size_t device = 0; device < plan.rank_of_device.size(); ++device) {
    const RankId rank = plan.rank_of_device[device];
    if (plan_->rank_of_device[device] == rank) continue;
    for (std::size_t i = first_concern_[rank.value]; i < first_concern_[rank.value + 1]; ++i) {
      const TaskletId id = concerns_[i];
      Tasklet task = graph_.tasklet(id);
      task.device = times_->device(task.rank);
      task.target = times_->device(target_rank_[id.value]);
      times_->set_times(task);
      evaluator_.update(id, task);
    }
  }
  plan_->rank_of_device = plan.rank_of_device;
}

}  // namespace longhaul
