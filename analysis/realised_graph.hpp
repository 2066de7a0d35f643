// What really kept each tasklet waiting: the dependencies of the graph and the queues of the streams, read off a
// timeline.
#pragma once

#include <vector>

#include "sim/results/timeline.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// How a tasklet waits for another.
enum class Wait : std::uint8_t {
  result,  // until it has finished: a dependency of the graph
  stream,  // until it has released a stream: the next in the queue of a compute, send or receive stream
};

struct Cause {
  TaskletId tasklet;
  Wait wait = Wait::result;
};

/// A directed acyclic graph over all tasklets. The order in which a stream served its tasklets is taken as given, as if
/// each depended on the one before it.
class RealisedGraph {
 public:
  /// Reads the streams' orders off the starts in `timeline`, with the streams of sim/workload/streams.hpp: computations
  /// hold their device's compute stream, transfers the sender's send and the receiver's receive stream, barrier messages
  /// none.
  RealisedGraph(const TaskletGraph& graph, const Timeline& timeline);

  std::size_t size() const { return order_.size(); }
  /// Every tasklet after its causes.
  const std::vector<TaskletId>& order() const { return order_; }
  /// By tasklet id: its place in the order in which the streams began to serve them.
  const std::vector<std::uint32_t>& served() const { return served_; }
  /// What the tasklet waits for: a range.
  const Cause* causes_begin(TaskletId id) const { return causes_.data() + first_cause_[id.value]; }
  const Cause* causes_end(TaskletId id) const { return causes_.data() + first_cause_[id.value + 1]; }

 private:
  std::vector<std::size_t> first_cause_;  // size() + 1 offsets into causes_
  std::vector<Cause> causes_;
  std::vector<TaskletId> order_;
  std::vector<std::uint32_t> served_;
};

}  // namespace longhaul
