// The timeline of a run as the report shows it: columns of small numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/result_folder.hpp"

namespace longhaul {

/// A kind of span: its name for people and the colour of the style sheet that it is painted in.
struct SpanKind {
  TaskletKind kind;
  const char* label;
  const char* paint;
};
/// Kinds that the timeline shows. Barrier messages are not among them: several pass at a time, between a rank's arrival
/// at the barrier and its departure.
const std::vector<SpanKind>& span_kinds();

/// Columns are equally long, one entry per span, in the order of tasklets. Times are whole microseconds.
struct ReportTimeline {
  std::vector<std::uint32_t> tasklet;
  std::vector<std::uint32_t> kind;        // index into span_kinds
  std::vector<std::uint32_t> device;      // where it runs, or who sends
  std::vector<std::uint32_t> target;      // who receives; = device for computations
  std::vector<std::int64_t> micro_batch;  // -1 = none
  std::vector<std::uint32_t> size;        // index into sizes
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> length;  // of a barrier: from arrival to departure
  std::vector<std::int64_t> flight;  // of a transfer: from the last byte's leaving to its arrival

  std::vector<double> sizes;  // of transfers, in bytes, each once
  std::int64_t end = 0;
  std::size_t all = 0;  // spans that there are; more than the columns hold where the shortest were left out
  std::vector<RankId> rank_of_device;  // as the tasklets say
};

/// The spans of a run, at most `most` of them: the longest.
ReportTimeline report_timeline(const RunResult& run, std::size_t most);

}  // namespace longhaul
