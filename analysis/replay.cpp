#include "analysis/replay.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>

#include "analysis/shared_flows.hpp"
#include "sim/base/error.hpp"
#include "sim/workload/streams.hpp"
#include "sim/workload/workload.hpp"

namespace longhaul {
namespace {

// Seconds. What lies closer happens at once: rounding must not decide who comes first.
constexpr double moment = 1e-11;
// The same of SimGrid (surf/precision): a transfer that would be through within it is through now.
constexpr double precision_of_transfers = 1e-10;
constexpr double never = std::numeric_limits<double>::infinity();

std::size_t devices_of(const TaskletGraph& graph) {
  std::uint32_t last = 0;
  for (const Tasklet& task : graph.tasklets()) last = std::max({last, task.device.value, task.target.value});
  return last + std::size_t{1};
}

class Replay {
 public:
  Replay(const TaskletGraph& graph, std::vector<Duration> durations, const std::vector<std::uint32_t>& served,
         const SharedNetwork* network)
      : graph_(graph),
        durations_(std::move(durations)),
        served_(served),
        network_(network),
        workload_(graph),
        streams_(devices_of(graph)),
        flows_(network == nullptr ? std::vector<BytesPerSecond>() : network->links.bandwidths()),
        started_(network == nullptr ? 0 : graph.size()) {}

  Seconds run() {
    ready_ = workload_.start();
    admit();
    while (advance()) {
      pass_moment();
      admit();
    }
    require(finished_ == graph_.size(), "a replay stands still");
    return Seconds(now_);
  }

 private:
  enum class What { release, finish };
  struct Event {
    double time;
    TaskletId tasklet;
    What what;
    friend bool operator<(const Event& a, const Event& b) { return a.time > b.time; }  // the earliest on top
  };

  // To the next moment at which anything happens; false where there is none.
  bool advance() {
    const double next = std::min(flows_.next_end().value, events_.empty() ? never : events_.top().time);
    if (next == never) return false;
    now_ = next;
    return true;
  }

  // Everything that happens now. What becomes ready is gathered.
  void pass_moment() {
    std::vector<Event> events;
    for (; !events_.empty() && events_.top().time <= now_ + moment; events_.pop()) events.push_back(events_.top());
    for (const TaskletId id : flows_.take_ended(Seconds(now_), Seconds(now_ + precision_of_transfers))) {
      const double through = deliver(id);
      if (through <= now_)
        events.push_back({now_, id, What::release});
      else
        events_.push({through, id, What::release});
    }
    std::sort(events.begin(), events.end(),
              [&](const Event& a, const Event& b) { return served_[a.tasklet.value] < served_[b.tasklet.value]; });
    // The engine sees computations end and messages arrive before it sees that bytes have left.
    const auto left = std::stable_partition(events.begin(), events.end(), [&](const Event& event) {
      return event.what == What::finish || !is_transfer(graph_.tasklet(event.tasklet).kind);
    });
    std::for_each(events.begin(), left, [&](const Event& event) { handle(event); });
    admit();
    std::sort(left, events.end(),
              [&](const Event& a, const Event& b) { return place_of_next(a) < place_of_next(b); });
    std::for_each(left, events.end(), [&](const Event& event) { handle(event); });
  }

  // What two senders send next may ask for the same receiver: it was served in the order in which they became free.
  std::pair<std::uint32_t, std::uint32_t> place_of_next(const Event& event) const {
    const std::optional<TaskletId> next = streams_.next_to_send(graph_.tasklet(event.tasklet));
    const std::uint32_t own = served_[event.tasklet.value];
    return {next ? served_[next->value] : own, own};
  }

  void handle(const Event& event) {
    if (event.what == What::release)
      release(event.tasklet);
    else
      finish(event.tasklet);
  }

  void release(TaskletId id) {
    for (const TaskletId next : streams_.release(id, graph_.tasklets())) start(next);
    const double lag = durations_[id.value].lag.value;
    if (lag > 0)
      events_.push({now_ + lag, id, What::finish});
    else
      finish(id);
  }

  void finish(TaskletId id) {
    ++finished_;
    const std::vector<TaskletId>& ready = workload_.on_finished(id, Seconds(now_));
    ready_.insert(ready_.end(), ready.begin(), ready.end());
  }

  void admit() {
    std::sort(ready_.begin(), ready_.end(),
              [&](TaskletId a, TaskletId b) { return served_[a.value] < served_[b.value]; });
    for (const TaskletId id : ready_) {
      if (graph_.tasklet(id).kind == TaskletKind::barrier_message)
        events_.push({now_ + durations_[id.value].lag.value, id, What::finish});
      else if (streams_.enqueue(id, graph_.tasklets()))
        start(id);
    }
    ready_.clear();
  }

  void start(TaskletId id) {
    const Tasklet& task = graph_.tasklet(id);
    if (network_ == nullptr || !is_transfer(task.kind)) {
      events_.push({now_ + durations_[id.value].hold.value, id, What::release});
      return;
    }
    started_[id.value] = now_;
    flows_.start(id, Bytes(static_cast<double>(network_->transport.wire_bytes(task))),
                 network_->platform.path(task.device, task.target).bandwidth, network_->links.on_route(task),
                 Seconds(now_));
  }

  // The bytes of a transfer have arrived: from now on its duration is known. When it releases its streams.
  double deliver(TaskletId id) {
    const Tasklet& task = graph_.tasklet(id);
    const Transport& transport = network_->transport;
    const Seconds hold = std::max(Seconds(now_ - started_[id.value]), transport.shortest_by_window(task));
    durations_[id.value] = {hold, transport.latency(task) + transport.hand_over(task, hold)};
    return started_[id.value] + hold.value;
  }

  const TaskletGraph& graph_;
  std::vector<Duration> durations_;
  const std::vector<std::uint32_t>& served_;
  const SharedNetwork* network_;  // none = all durations are given
  GraphWorkload workload_;
  Streams streams_;
  SharedFlows flows_;
  std::vector<double> started_;  // by tasklet id, of transfers
  std::priority_queue<Event> events_;
  std::vector<TaskletId> ready_;
  double now_ = 0;
  std::size_t finished_ = 0;
};

}  // namespace

Seconds replay(const TaskletGraph& graph, const std::vector<Duration>& durations,
               const std::vector<std::uint32_t>& served, const SharedNetwork* network) {
  require(durations.size() == graph.size() && served.size() == graph.size(), "replay needs a duration per tasklet");
  return graph.size() == 0 ? Seconds() : Replay(graph, durations, served, network).run();
}

}  // namespace longhaul
