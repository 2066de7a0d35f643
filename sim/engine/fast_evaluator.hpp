// Simulates a static graph without SimGrid, where every transfer has the links of its path to itself: start and end times
// follow from the streams alone. Reusable: a search evaluates thousands of graphs with the same buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/engine/arrival_order.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/tasklet_graph.hpp"
#include "sim/workload/transport.hpp"

namespace longhaul {

/// Two moments this close are one, seconds: far above rounding, far below anything that is simulated.
constexpr double simultaneous = 1e-9;

/// Streams, efficiencies and latencies are those of the SimGrid engine with the `raw` equations (simulate.hpp). What it
/// does not know is sharing: a transfer always gets its path's bandwidth.
///
/// First in one pass over the graph in topological order: where each stream is asked in the order of that pass, as in most
/// pipelines, first come, first served needs no clock. Where a stream turns out to be asked in another order, again in the
/// order of time, from a heap; so are then all runs until the next `prepare`.
class FastEvaluator {
 public:
  /// Reads how long each tasklet takes. All three must stay until the last `run`. UserError as from the engine.
  void prepare(const TaskletGraph& graph, const PlatformView& platform, const NetworkModel& network);
  /// Takes the times of `task` for the tasklet `id` of that graph, which keeps its kind.
  void update(TaskletId id, const Tasklet& task);

  /// The iteration's end. Nothing is allocated after the first run on a graph of this size. UserError when tasklets
  /// remain that nothing can start.
  Seconds run() { return run(nullptr); }
  /// The same; `spans` gets the span of each tasklet, and ties are looked for.
  Seconds run(std::vector<Span>& spans);

  /// Of the last run with spans: two tasklets that came to one stream at the same moment, so that who is served first is
  /// chance; none where the result does not hang on such a pair.
  const std::optional<std::pair<TaskletId, TaskletId>>& tie() const { return tie_; }
  /// Whether the last run took one pass.
  bool in_one_pass() const { return in_one_pass_; }

 private:
  enum class Kind : std::uint8_t { computation, message, transfer, stored_transfer };
  struct Step {
    double busy = 0;   // seconds for which it holds its streams; 0 for a message
    double after = 0;  // seconds from there to its finish
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    Kind kind = Kind::computation;
  };
  struct Wait {
    double ready = 0;           // the latest finish of a predecessor so far
    std::uint32_t missing = 0;  // predecessors
    std::uint32_t cause = 0;    // the predecessor that finished then, or one of the names below
  };
  struct Stream {
    double arrived = -1;     // when the last tasklet came to it
    double free = 0;         // when it will have served all that came
    std::uint32_t last = 0;  // that tasklet
    std::uint32_t cause = 0;
  };
  struct SendQueue {  // in the order of time only: transfers behind one whose turn at the receiver has yet to come
    std::uint32_t front, back;
    bool taken;
  };
  struct Event {  // in the order of time only; what is pushed first comes first among equals
    double time;
    std::uint32_t number;
    std::uint32_t tasklet;  // ready; or, with the top bit, a transfer whose turn at its receiver has come
  };
  class InOrderOfGraph;
  class InOrderOfTime;

  Seconds run(std::vector<Span>* spans);
  template <class Order>
  bool pass(std::vector<Span>* spans, Order& order);
  template <class Order>
  bool come(Stream& stream, double time, std::uint32_t id, std::uint32_t cause, bool in_order);
  template <class Order>
  bool transfer(std::uint32_t id, double turn, Order& order, std::vector<Span>* spans);
  template <class Order>
  void finish(std::uint32_t id, double time, Order& order);
  bool ordered(std::uint32_t first, std::uint32_t first_cause, std::uint32_t second, std::uint32_t second_cause);
  [[noreturn]] void refuse_circle() const;

  const TaskletGraph* graph_ = nullptr;
  std::size_t devices_ = 0;
  std::optional<Transport> transport_;
  const PlatformView* platform_ = nullptr;
  double store_and_forward_ = 0;
  std::vector<Step> steps_;
  std::vector<Wait> waits_;
  std::vector<Stream> compute_, send_, receive_;
  std::vector<std::uint32_t> worklist_;
  std::vector<Event> heap_;
  std::vector<SendQueue> queues_;
  std::vector<std::uint32_t> behind_;  // per transfer, the next in its send queue
  ArrivalOrder order_;
  double end_ = 0;
  std::size_t finished_ = 0;
  std::optional<std::pair<TaskletId, TaskletId>> tie_;
  bool notes_ties_ = false;
  bool in_one_pass_ = false;
};

}  // namespace longhaul
