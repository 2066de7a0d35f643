#include "sim/engine/link_sharing.hpp"

#include <algorithm>
#include <cstdint>

#include "sim/engine/fast_evaluator.hpp"
#include "sim/workload/contested_links.hpp"

namespace longhaul {
namespace {

constexpr double rounding = 1e-9;  // of a link's bandwidth

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
  const ContestedLinks links(platform, graph);
  if (links.empty()) return std::nullopt;

  const Transport transport(platform.view, network);
  std::vector<std::vector<Change>> changes(links.names().size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Tasklet& task = graph.tasklet(TaskletId(i));
    if (!holds_streams(task)) continue;
    const BytesPerSecond rate = platform.view.path(task.device, task.target).bandwidth;
    const double start = timeline.spans[i].start.value;
    const double end = start + (Bytes(static_cast<double>(transport.wire_bytes(task))) / rate).value - simultaneous;
    if (end <= start) continue;
    for (const std::uint32_t link : links.on_route(task)) {
      changes[link].push_back({start, rate.value});
      changes[link].push_back({end, -rate.value});
    }
  }
  std::optional<Congestion> first;
  for (std::size_t link = 0; link < changes.size(); ++link) {
    const auto begin = first_above(links.bandwidths()[link].value, changes[link]);
    if (begin && (!first || *begin < first->begin.value)) first = {links.names()[link], Seconds(*begin)};
  }
  return first;
}

}  // namespace longhaul
