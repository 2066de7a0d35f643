#include "analysis/report_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace longhaul {
namespace {

struct ShownSpan {
  std::size_t tasklet = 0;
  Seconds start;
  Seconds stop;
};

std::int64_t microseconds(Seconds time) { return std::llround(time.value * 1e6); }

std::optional<std::size_t> number_of(TaskletKind kind) {
  const std::vector<SpanKind>& kinds = span_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].kind == kind) return i;
  return std::nullopt;
}

// A barrier is two tasklets on each device, arrival and departure: shown as one span between them.
std::vector<ShownSpan> spans_of(const RunResult& run) {
  std::vector<ShownSpan> spans;
  std::vector<std::optional<Seconds>> arrivals(run.platform.size());
  for (std::size_t i = 0; i < run.tasklets.size(); ++i) {
    const Tasklet& task = run.tasklets[i];
    const Span& span = run.timeline.spans[i];
    if (!number_of(task.kind)) continue;
    if (task.kind != TaskletKind::barrier) {
      spans.push_back({i, span.start, is_transfer(task.kind) ? span.released : span.finish});
      continue;
    }
    std::optional<Seconds>& arrival = arrivals[task.device.value];
    if (arrival) spans.push_back({i, *arrival, span.finish});
    arrival = arrival ? std::nullopt : std::optional<Seconds>(span.start);
  }
  return spans;
}

std::vector<ShownSpan> longest(std::vector<ShownSpan> spans, std::size_t most) {
  if (spans.size() <= most) return spans;
  const auto longer = [](const ShownSpan& a, const ShownSpan& b) {
    const Seconds length_a = a.stop - a.start;
    const Seconds length_b = b.stop - b.start;
    return length_a != length_b ? length_a > length_b : a.tasklet < b.tasklet;
  };
  std::nth_element(spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>(most), spans.end(), longer);
  spans.resize(most);
  std::sort(spans.begin(), spans.end(), [](const ShownSpan& a, const ShownSpan& b) { return a.tasklet < b.tasklet; });
  return spans;
}

}  // namespace

const std::vector<SpanKind>& span_kinds() {
  static const std::vector<SpanKind> kinds{
      {TaskletKind::forward, "forward", "series-1"},
      {TaskletKind::backward, "backward", "series-6"},
      {TaskletKind::weight_gradient, "weight gradient", "series-5"},
      {TaskletKind::weight_update, "weight update", "series-3"},
      {TaskletKind::reduction, "summing of gradients", "series-3"},
      {TaskletKind::activation_transfer, "activation transfer", "series-2"},
      {TaskletKind::gradient_transfer, "gradient transfer", "series-4"},
      {TaskletKind::gradient_exchange, "gradient exchange", "series-4"},
      {TaskletKind::parameter_transfer, "parameter transfer", "series-4"},
      {TaskletKind::tensor_transfer, "tensor transfer", "series-5"},
      {TaskletKind::expert_transfer, "expert transfer", "series-5"},
      {TaskletKind::context_transfer, "context transfer", "series-5"},
      {TaskletKind::barrier, "barrier", "coast"},
  };
  return kinds;
}

ReportTimeline report_timeline(const RunResult& run, std::size_t most) {
  std::vector<ShownSpan> spans = spans_of(run);
  ReportTimeline timeline;
  timeline.all = spans.size();
  timeline.end = std::max<std::int64_t>(1, microseconds(run.timeline.end));
  timeline.rank_of_device.resize(run.platform.size());
  for (const Tasklet& task : run.tasklets) timeline.rank_of_device[task.device.value] = task.rank;
  std::map<double, std::uint32_t> size_index;
  for (const ShownSpan& span : longest(std::move(spans), most)) {
    const Tasklet& task = run.tasklets[span.tasklet];
    const auto [size, added] =
        size_index.emplace(task.bytes.value, static_cast<std::uint32_t>(timeline.sizes.size()));
    if (added) timeline.sizes.push_back(task.bytes.value);
    timeline.tasklet.push_back(static_cast<std::uint32_t>(span.tasklet));
    timeline.kind.push_back(static_cast<std::uint32_t>(*number_of(task.kind)));
    timeline.device.push_back(task.device.value);
    timeline.target.push_back(task.target.value);
    timeline.micro_batch.push_back(task.micro_batch == no_micro_batch ? -1 : std::int64_t{task.micro_batch.value});
    timeline.size.push_back(size->second);
    timeline.start.push_back(microseconds(span.start));
    timeline.length.push_back(microseconds(span.stop) - microseconds(span.start));
    const Seconds finish = run.timeline.spans[span.tasklet].finish;
    timeline.flight.push_back(is_transfer(task.kind) ? microseconds(finish) - microseconds(span.stop) : 0);
  }
  return timeline;
}

}  // namespace longhaul
