#include "analysis/propagation.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// From a tasklet's start to when it lets the next one go.
Seconds until(Wait wait, const Duration& duration) {
  return wait == Wait::stream ? duration.hold : duration.hold + duration.lag;
}

}  // namespace

std::vector<Duration> durations_of(const Timeline& timeline) {
  std::vector<Duration> durations;
  durations.reserve(timeline.spans.size());
  for (const Span& span : timeline.spans)
    durations.push_back({span.released - span.start, span.finish - span.released});
  return durations;
}

Propagation propagate(const RealisedGraph& graph, const std::vector<Duration>& durations) {
  require(durations.size() == graph.size(), "propagate needs one duration per tasklet");
  Propagation result;
  result.start.resize(graph.size());
  result.last_cause.assign(graph.size(), nullptr);
  for (const TaskletId id : graph.order()) {
    Seconds& start = result.start[id.value];
    for (const Cause* cause = graph.causes_begin(id); cause != graph.causes_end(id); ++cause) {
      const std::size_t before = cause->tasklet.value;
      const Seconds free = result.start[before] + until(cause->wait, durations[before]);
      if (result.last_cause[id.value] != nullptr && free <= start) continue;
      start = std::max(start, free);
      result.last_cause[id.value] = cause;
    }
    const Seconds finish = start + until(Wait::result, durations[id.value]);
    if (finish > result.end) {
      result.end = finish;
      result.last = id;
    }
  }
  return result;
}

std::vector<Seconds> slack_of(const RealisedGraph& graph, const std::vector<Duration>& durations,
                              const Propagation& propagation) {
  std::vector<Seconds> tail(graph.size());  // the longest way from a tasklet's start to the end
  for (std::size_t i = 0; i < tail.size(); ++i) tail[i] = until(Wait::result, durations[i]);
  for (auto id = graph.order().rbegin(); id != graph.order().rend(); ++id)
    for (const Cause* cause = graph.causes_begin(*id); cause != graph.causes_end(*id); ++cause) {
      const std::size_t before = cause->tasklet.value;
      tail[before] = std::max(tail[before], until(cause->wait, durations[before]) + tail[id->value]);
    }
  std::vector<Seconds> slack(graph.size());
  for (std::size_t i = 0; i < slack.size(); ++i)
    slack[i] = std::max(Seconds(), propagation.end - propagation.start[i] - tail[i]);
  return slack;
}

}  // namespace longhaul
