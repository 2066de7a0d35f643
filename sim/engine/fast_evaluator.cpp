#include "sim/engine/fast_evaluator.hpp"

#include <algorithm>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/engine/stuck_workload.hpp"

namespace longhaul {
namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
// Causes that are no tasklet.
constexpr std::uint32_t the_start = nobody;
constexpr std::uint32_t several = nobody - 1;
constexpr std::uint32_t a_free_sender = nobody - 2;  // of a turn at the receiver

}  // namespace

// Tasklets as soon as nothing is missing, first in, first out. Refuses what comes to a stream out of time.
class FastEvaluator::InOrderOfGraph {
 public:
  static constexpr bool by_time = false;
  explicit InOrderOfGraph(std::vector<std::uint32_t>& list) : list_(list) { list_.clear(); }
  void push(std::uint32_t ready, double /*when*/) { list_.push_back(ready); }
  bool pop() {
    if (next_ == list_.size()) return false;
    tasklet = list_[next_++];
    return true;
  }
  std::uint32_t tasklet = 0;

 private:
  std::vector<std::uint32_t>& list_;
  std::size_t next_ = 0;
};

// A binary heap. What is taken from the top leaves a gap, which the next push fills: one way down instead of two.
class FastEvaluator::InOrderOfTime {
 public:
  static constexpr bool by_time = true;
  static constexpr std::uint32_t turn_bit = std::uint32_t{1} << 31U;
  explicit InOrderOfTime(std::vector<Event>& heap) : heap_(heap) { heap_.clear(); }

  void push(std::uint32_t ready_or_turn, double when) {
    const Event event{when, pushed_++, ready_or_turn};
    if (gap_) {
      gap_ = false;
      sink(event);
      return;
    }
    heap_.push_back(event);
    std::size_t at = heap_.size() - 1;
    for (; at > 0 && earlier(event, heap_[(at - 1) / 2]); at = (at - 1) / 2) heap_[at] = heap_[(at - 1) / 2];
    heap_[at] = event;
  }

  bool pop() {
    if (gap_) {
      const Event last = heap_.back();
      heap_.pop_back();
      if (!heap_.empty()) sink(last);
    }
    gap_ = !heap_.empty();
    if (!gap_) return false;
    tasklet = heap_.front().tasklet & ~turn_bit;
    is_turn = (heap_.front().tasklet & turn_bit) != 0;
    time = heap_.front().time;
    return true;
  }
  std::uint32_t tasklet = 0;
  bool is_turn = false;
  double time = 0;

 private:
  static bool earlier(const Event& a, const Event& b) {
    return (a.time < b.time) | ((a.time == b.time) & (a.number < b.number));
  }

  // Puts an event in the place of the top.
  void sink(const Event& event) {
    const std::size_t size = heap_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size) child += earlier(heap_[child + 1], heap_[child]) ? 1 : 0;
      if (!earlier(heap_[child], event)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = event;
  }

  std::vector<Event>& heap_;
  std::uint32_t pushed_ = 0;
  bool gap_ = false;  // the top has been taken
};

void FastEvaluator::prepare(const TaskletGraph& graph, const PlatformView& platform, const NetworkModel& network) {
  require(network.equations == NetworkEquations::raw, "the fast evaluator knows the raw equations only");
  graph_ = &graph;
  order_.reset(graph);
  in_one_pass_ = true;
  devices_ = platform.size();
  store_and_forward_ = network.store_and_forward;
  transport_.emplace(platform, network);
  platform_ = &platform;
  steps_.resize(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) update(TaskletId(i), graph.tasklet(TaskletId(i)));
}

void FastEvaluator::update(TaskletId id, const Tasklet& task) {
  Step& step = steps_[id.value];
  step.source = task.device.value;
  step.target = task.target.value;
  step.after = 0;
  if (!is_transfer(task.kind)) {
    step.kind = Kind::computation;
    step.busy = (task.compute + task.handling).value;
  } else if (task.kind == TaskletKind::barrier_message) {
    step.kind = Kind::message;
    step.busy = 0;
    step.after = transport_->barrier_latency(task).value;
  } else {
    const Bytes bytes(static_cast<double>(transport_->wire_bytes(task)));
    const Seconds alone = bytes / platform_->path(task.device, task.target).bandwidth;
    step.kind = transport_->is_stored(task) ? Kind::stored_transfer : Kind::transfer;
    step.busy = std::max(alone, transport_->shortest_by_window(task)).value;
    step.after = transport_->latency(task).value;
  }
}

Seconds FastEvaluator::run(std::vector<Span>& spans) {
  spans.resize(steps_.size());
  return run(&spans);
}

Seconds FastEvaluator::run(std::vector<Span>* spans) {
  notes_ties_ = spans != nullptr;
  worklist_.reserve(steps_.size());
  if (in_one_pass_) {
    InOrderOfGraph graph_order(worklist_);
    in_one_pass_ = pass(spans, graph_order);
  }
  if (!in_one_pass_) {
    queues_.assign(devices_, {nobody, nobody, false});
    behind_.resize(steps_.size());
    InOrderOfTime time_order(heap_);
    pass(spans, time_order);
  }
  if (finished_ < steps_.size()) refuse_circle();
  return Seconds(end_);
}

// Whether every stream was asked in the order of time.
template <class Order>
bool FastEvaluator::pass(std::vector<Span>* spans, Order& order) {
  for (std::vector<Stream>* streams : {&compute_, &send_, &receive_}) streams->assign(devices_, Stream());
  waits_.resize(steps_.size());
  tie_.reset();
  end_ = 0;
  finished_ = 0;
  for (std::uint32_t id = 0; id < steps_.size(); ++id)
    waits_[id] = {0, graph_->predecessor_count(TaskletId(id)), the_start};
  for (std::uint32_t id = 0; id < steps_.size(); ++id)
    if (waits_[id].missing == 0) order.push(id, 0);
  while (order.pop()) {
    const std::uint32_t id = order.tasklet;
    const Step& step = steps_[id];
    const Wait& wait = waits_[id];
    if constexpr (Order::by_time) {
      if (order.is_turn) {
        transfer(id, order.time, order, spans);
        continue;
      }
    }
    if (step.kind == Kind::message) {
      const double finished = wait.ready + step.after;
      if (spans != nullptr) (*spans)[id] = {Seconds(wait.ready), Seconds(wait.ready), Seconds(finished)};
      finish(id, finished, order);
      continue;
    }
    if (step.kind == Kind::computation) {
      Stream& compute = compute_[step.source];
      if (!come<Order>(compute, wait.ready, id, wait.cause, false)) return false;
      const double start = std::max(wait.ready, compute.free);
      const double done = compute.free = start + step.busy;
      if (spans != nullptr) (*spans)[id] = {Seconds(start), Seconds(done), Seconds(done)};
      finish(id, done, order);
      continue;
    }
    Stream& send = send_[step.source];
    if (!come<Order>(send, wait.ready, id, wait.cause, false)) return false;
    if constexpr (Order::by_time) {
      SendQueue& queue = queues_[step.source];
      behind_[id] = nobody;
      if (queue.taken) {
        (queue.front == nobody ? queue.front : behind_[queue.back]) = id;
        queue.back = id;
        continue;
      }
      if (send.free > wait.ready) {
        queue.taken = true;
        order.push(id | Order::turn_bit, send.free);
        continue;
      }
    }
    if (!transfer(id, std::max(wait.ready, send.free), order, spans)) return false;
  }
  return true;
}

// A tasklet comes to a stream. Whether that is in the order of time; notes where two come at once, unless they are known
// to be `in_order`.
template <class Order>
bool FastEvaluator::come(Stream& stream, double time, std::uint32_t id, std::uint32_t cause, bool in_order) {
  if (time <= stream.arrived + simultaneous && !in_order) {
    if (time < stream.arrived - simultaneous) return false;
    if ((notes_ties_ || !Order::by_time) && !tie_ && !ordered(stream.last, stream.cause, id, cause)) {
      tie_.emplace(TaskletId(stream.last), TaskletId(id));
      if (!Order::by_time) return false;
    }
  }
  stream.arrived = std::max(time, stream.arrived);
  stream.last = id;
  stream.cause = cause;
  return true;
}

// The turn of a transfer has come at its sender: it asks for the receiver.
template <class Order>
bool FastEvaluator::transfer(std::uint32_t id, double turn, Order& order, std::vector<Span>* spans) {
  const Step& step = steps_[id];
  Stream& send = send_[step.source];
  Stream& receive = receive_[step.target];
  const bool same_sender = receive.arrived >= 0 && steps_[receive.last].source == step.source;
  const bool at_once = send.free < turn - simultaneous || send.free == 0;
  if (!come<Order>(receive, turn, id, at_once ? waits_[id].cause : a_free_sender, same_sender)) return false;
  const double start = std::max(turn, receive.free);
  const double released = start + step.busy;
  send.free = receive.free = released;
  double after = step.after;
  if (step.kind == Kind::stored_transfer) after += (released - start) * store_and_forward_;
  if (spans != nullptr) (*spans)[id] = {Seconds(start), Seconds(released), Seconds(released + after)};
  if constexpr (Order::by_time) {
    SendQueue& queue = queues_[step.source];
    const std::uint32_t next = queue.front;
    queue.taken = next != nobody;
    if (queue.taken) {
      queue.front = behind_[next];
      order.push(next | Order::turn_bit, released);
    }
  }
  finish(id, released + after, order);
  return true;
}

template <class Order>
void FastEvaluator::finish(std::uint32_t id, double time, Order& order) {
  ++finished_;
  end_ = std::max(end_, time);
  const TaskletId* const end = graph_->successors_end(TaskletId(id));
  for (const TaskletId* next = graph_->successors_begin(TaskletId(id)); next != end; ++next) {
    Wait& wait = waits_[next->value];
    if (time > wait.ready + simultaneous || wait.cause == the_start) {
      wait.ready = time;
      wait.cause = id;
    } else if (time >= wait.ready - simultaneous) {
      wait.ready = std::max(wait.ready, time);
      if (wait.cause != id) wait.cause = several;
    }
    if (--wait.missing == 0) order.push(next->value, wait.ready);
  }
}

// Whether `first` comes before `second` to a stream where both come in the same moment, with SimGrid too: because the second
// waits for the first, or one tasklet's end lets both come in the order of its successors, or what lets the second come is
// itself a consequence of what lets the first come.
bool FastEvaluator::ordered(std::uint32_t first, std::uint32_t first_cause, std::uint32_t second,
                            std::uint32_t second_cause) {
  if (second_cause == first) return true;
  const TaskletId one(first), other(second);
  const double latest = waits_[second].ready + simultaneous;
  const auto in_this_moment = [this, latest](TaskletId between) {
    return waits_[between.value].missing == 0 && waits_[between.value].ready <= latest;
  };
  if (first_cause < a_free_sender) {
    const TaskletId cause(first_cause);
    if (second_cause == first_cause) {
      const TaskletId* const end = graph_->successors_end(cause);
      return std::find(graph_->successors_begin(cause), end, one) <
             std::find(graph_->successors_begin(cause), end, other);
    }
    if (order_.depends(other, cause, ArrivalOrder::Path::by_way, in_this_moment)) return true;
  }
  if (order_.depends(other, one, ArrivalOrder::Path::any, in_this_moment)) return true;
  return first_cause != a_free_sender && second_cause != a_free_sender && order_.wait_for_the_same(one, other);
}

void FastEvaluator::refuse_circle() const {
  GraphWorkload workload(*graph_);
  std::vector<Span> spans(steps_.size());
  for (std::uint32_t id = 0; id < steps_.size(); ++id) spans[id].finish = Seconds(waits_[id].missing == 0 ? 0 : -1);
  for (std::uint32_t id = 0; id < steps_.size(); ++id)
    if (waits_[id].missing == 0) workload.on_finished(TaskletId(id), Seconds());
  throw stuck_workload(workload, spans);
}

}  // namespace longhaul
