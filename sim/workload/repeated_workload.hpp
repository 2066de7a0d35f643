// The same iteration, many times over, with as much memory as two of them.
#pragma once

#include "sim/workload/workload.hpp"

namespace longhaul {

/// Iterations of one graph follow each other without a barrier: what a rank computes first waits for what the same rank did
/// last in the iteration before (its weight update). Two iterations may be under way at a time; a third begins when the
/// first is complete, which gradient sync and pipelines force anyway.
///
/// Tasklet i of iteration k has the id i + (k mod 2) x graph size: ids are used again, so that a timeline keeps the last two
/// iterations. The graph must outlive the workload.
class RepeatedWorkload : public Workload {
 public:
  RepeatedWorkload(const TaskletGraph& graph, std::size_t iterations);

  const std::vector<Tasklet>& tasklets() const override { return tasklets_; }
  std::size_t total() const override { return graph_.size() * iterations_; }
  const std::vector<TaskletId>& start() override;
  const std::vector<TaskletId>& on_finished(TaskletId finished, Seconds now) override;
  std::string describe_wait(TaskletId waiting) const override;
  const std::vector<Seconds>& iteration_ends() const override { return ends_; }

 private:
  // An iteration under way.
  struct Slot {
    std::size_t unfinished = 0;            // tasklets
    std::vector<std::uint32_t> missing;    // per tasklet, what it still waits for
    std::vector<std::uint32_t> last_open;  // per rank, its last tasklets that have not finished
  };

  std::size_t ranks() const { return last_count_.size(); }
  TaskletId id_in(std::size_t slot, std::size_t tasklet) const { return TaskletId(slot * graph_.size() + tasklet); }
  void begin(std::size_t slot, const std::vector<std::uint32_t>& last_open_before);
  void release(std::size_t slot, TaskletId tasklet);

  const TaskletGraph& graph_;
  std::size_t iterations_;
  std::vector<Tasklet> tasklets_;              // of both slots
  std::vector<std::vector<TaskletId>> first_;  // per rank, its computations that wait for nothing of the rank's own
  std::vector<bool> is_last_;                  // per tasklet, whether nothing waits for it
  std::vector<std::uint32_t> last_count_;      // per rank, how many of those it has
  Slot slots_[2];
  std::size_t begun_ = 0;  // iterations
  std::vector<Seconds> ends_;
  std::vector<TaskletId> ready_;
};

}  // namespace longhaul
