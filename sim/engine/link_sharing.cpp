#include "sim/engine/link_sharing.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "sim/description/shared_links.hpp"
#include "sim/engine/fast_evaluator.hpp"

namespace longhaul {
namespace {

constexpr double rounding = 1e-9;  // of a link's bandwidth

bool holds_streams(const Tasklet& task) {
  return is_transfer(task.kind) && task.kind != TaskletKind::barrier_message;
}

// The pairs of devices between which something is sent, numbered.
class Pairs {
 public:
  Pairs(const TaskletGraph& graph, std::size_t devices) : devices_(devices) {
    for (const Tasklet& task : graph.tasklets())
      if (holds_streams(task) && numbers_.emplace(key(task), static_cast<std::uint32_t>(list_.size())).second)
        list_.emplace_back(task.device, task.target);
  }
  const std::vector<DevicePair>& list() const { return list_; }
  std::uint32_t number(const Tasklet& task) const { return numbers_.at(key(task)); }

 private:
  std::size_t key(const Tasklet& task) const { return task.device.value * devices_ + task.target.value; }

  std::size_t devices_;
  std::unordered_map<std::size_t, std::uint32_t> numbers_;
  std::vector<DevicePair> list_;
};

// By link: whether pairs of several senders and of several receivers cross it.
std::vector<bool> contested(const SharedLinks& links, const std::vector<DevicePair>& pairs) {
  constexpr std::size_t none = SIZE_MAX;
  std::vector<std::size_t> first(links.names.size(), none);
  std::vector<bool> senders(first.size(), false), receivers(first.size(), false);
  for (std::size_t pair = 0; pair < pairs.size(); ++pair)
    for (const std::uint32_t link : links.on_route[pair]) {
      if (first[link] == none) first[link] = pair;
      if (pairs[pair].first != pairs[first[link]].first) senders[link] = true;
      if (pairs[pair].second != pairs[first[link]].second) receivers[link] = true;
    }
  for (std::size_t link = 0; link < first.size(); ++link) senders[link] = senders[link] && receivers[link];
  return senders;
}

struct Change {
  double time;
  double rate;  // bytes per second more on the link
};

// When the rates first add up to more than `most`; `changes` in any order.
std::optional<double> first_above(double most, std::vector<Change>& changes) {
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.time < b.time || (a.time == b.time && a.rate < b.rate);
  });
  double sum = 0;
  for (const Change& change : changes) {
    sum += change.rate;
    if (sum > most * (1 + rounding)) return change.time;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Congestion> find_congestion(const Platform& platform, const TaskletGraph& graph,
                                          const Timeline& timeline, const NetworkModel& network) {
  if (!may_have_shared_links(platform.xml)) return std::nullopt;
  const Pairs pairs(graph, platform.view.size());
  if (pairs.list().empty()) return std::nullopt;
  const SharedLinks links = shared_links(platform, pairs.list());
  const std::vector<bool> is_contested = contested(links, pairs.list());
  if (std::find(is_contested.begin(), is_contested.end(), true) == is_contested.end()) return std::nullopt;

  const Transport transport(platform.view, network);
  std::vector<std::vector<Change>> changes(links.names.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Tasklet& task = graph.tasklet(TaskletId(i));
    if (!holds_streams(task)) continue;
    const BytesPerSecond rate = platform.view.path(task.device, task.target).bandwidth;
    const double start = timeline.spans[i].start.value;
    const double end = start + (Bytes(static_cast<double>(transport.wire_bytes(task))) / rate).value - simultaneous;
    if (end <= start) continue;
    for (const std::uint32_t link : links.on_route[pairs.number(task)]) {
      if (!is_contested[link]) continue;
      changes[link].push_back({start, rate.value});
      changes[link].push_back({end, -rate.value});
    }
  }
  std::optional<Congestion> first;
  for (std::size_t link = 0; link < changes.size(); ++link) {
    const auto begin = first_above(links.bandwidths[link].value, changes[link]);
    if (begin && (!first || *begin < first->begin.value)) first = {links.names[link], Seconds(*begin)};
  }
  return first;
}

}  // namespace longhaul
