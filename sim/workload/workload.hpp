// What the engine runs. It asks for work as time passes, so a static graph is one workload among others.
#pragma once

#include <string>
#include <vector>

#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

class Workload {
 public:
  Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  virtual ~Workload() = default;

  /// All tasklets known so far, by id; a workload that decides at run time appends to them.
  virtual const std::vector<Tasklet>& tasklets() const = 0;
  /// How many tasklets will have finished in the end, as far as known; more than tasklets() where ids are used again.
  virtual std::size_t total() const { return tasklets().size(); }
  /// When each iteration was complete, of a workload that has several.
  virtual const std::vector<Seconds>& iteration_ends() const {
    static const std::vector<Seconds> none;
    return none;
  }
  /// The tasklets that may start at time 0. The range stays valid until the next call.
  virtual const std::vector<TaskletId>& start() = 0;
  /// The tasklets that may start because this one has finished. The range stays valid until the next call.
  virtual const std::vector<TaskletId>& on_finished(TaskletId finished, Seconds now) = 0;
  /// One line about a tasklet that never finished: what it is and what it waits for.
  virtual std::string describe_wait(TaskletId waiting) const = 0;
};

/// A static graph as a workload: a tasklet may start when all its predecessors have finished.
/// Keeps a reference: the graph must outlive it.
class GraphWorkload : public Workload {
 public:
  explicit GraphWorkload(const TaskletGraph& graph);
  const std::vector<Tasklet>& tasklets() const override { return graph_.tasklets(); }
  const std::vector<TaskletId>& start() override;
  const std::vector<TaskletId>& on_finished(TaskletId finished, Seconds now) override;
  std::string describe_wait(TaskletId waiting) const override;

 private:
  const TaskletGraph& graph_;
  std::vector<std::uint32_t> missing_;  // predecessors not finished yet, per tasklet
  std::vector<bool> finished_;
  std::vector<TaskletId> ready_;
};

}  // namespace longhaul
