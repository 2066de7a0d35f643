#include "analysis/changed_durations.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// Of SimGrid's model LV08.
constexpr double lv08_latency_factor = 13.01;
constexpr double lv08_window = 4194304;  // bytes

// The part of a transfer's hold that is latency: SimGrid's own equations pay it first.
Seconds held_latency(const Path& path, NetworkEquations equations) {
  switch (equations) {
    case NetworkEquations::raw:
      return {};
    case NetworkEquations::cm02:
      return path.latency;
    case NetworkEquations::lv08:
      break;
  }
  return path.latency * lv08_latency_factor;
}

// How many times as long a transfer takes on a path because its connection keeps only a window in flight.
double stretch(const Tasklet& task, const Path& path, const NetworkModel& network) {
  const auto beyond = [&](Seconds latency, double window) {
    return std::max(1.0, (path.bandwidth * (latency * 2)).value / window);
  };
  if (network.equations == NetworkEquations::lv08) return beyond(path.latency, lv08_window);
  if (!network.tcp_window || network.equations != NetworkEquations::raw) return 1;
  return beyond(path.latency * task.messages, network.tcp_window->value * static_cast<double>(network.tcp_streams));
}

class Changer {
 public:
  Changer(const Rerun& base, const Rerun& changed, const NetworkModel& network)
      : base_(base), changed_(changed), network_(network) {}

  Duration duration(TaskletId id, const Duration& before) const {
    const Tasklet& task = base_.graph.tasklet(id);
    if (is_transfer(task.kind)) return transfer(task, before);
    const Tasklet& then = changed_.graph.tasklet(id);
    return {before.hold + (then.compute + then.handling - task.compute - task.handling), before.lag};
  }

 private:
  Duration transfer(const Tasklet& task, const Duration& before) const {
    const Path& path = base_.platform.path(task.device, task.target);
    const Path& then = changed_.platform.path(task.device, task.target);
    const Seconds later = then.latency - path.latency;
    if (task.kind == TaskletKind::barrier_message)
      return {before.hold, before.lag + later * network_.barrier_latency_factor};
    const double slower =
        path.bandwidth.value / then.bandwidth.value * stretch(task, then, network_) / stretch(task, path, network_);
    const Seconds wire = std::max(Seconds(), before.hold - held_latency(path, network_.equations));
    const Seconds hold = wire * slower + held_latency(then, network_.equations);
    if (network_.equations != NetworkEquations::raw) return {hold, before.lag};
    Seconds lag = before.lag + later * task.messages;
    if (task.kind == TaskletKind::activation_transfer && !base_.platform.same_machine(task.device, task.target))
      lag += (hold - before.hold) * network_.store_and_forward;
    return {hold, lag};
  }

  const Rerun& base_;
  const Rerun& changed_;
  const NetworkModel& network_;
};

}  // namespace

std::vector<Duration> changed_durations(const Rerun& base, const Rerun& changed, const NetworkModel& network) {
  require(base.graph.size() == changed.graph.size(), "a plan held fixed gives the same tasklets");
  const Changer changer(base, changed, network);
  std::vector<Duration> durations = durations_of(base.timeline);
  for (std::size_t i = 0; i < durations.size(); ++i) durations[i] = changer.duration(TaskletId(i), durations[i]);
  return durations;
}

}  // namespace longhaul
