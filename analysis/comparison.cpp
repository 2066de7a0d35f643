#include "analysis/comparison.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/results/text_table.hpp"

namespace longhaul {

LargestPart largest_part(const Breakdown& parts) {
  const std::vector<LargestPart> all{
      {"compute", parts.compute},
      {"pipeline bubble", parts.pipeline_bubble},
      {"activation transfer", parts.exposed_activation_transfer},
      {"gradient sync", parts.exposed_gradient_sync},
      {"barriers", parts.barriers},
  };
  return *std::max_element(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
}

std::string comparison_table(const std::vector<RunRecord>& records) {
  const bool any_recorded = std::any_of(records.begin(), records.end(),
                                        [](const RunRecord& record) { return record.recorded.has_value(); });
  std::vector<std::string> header{"scheduler", "cost (s)", "simulated (s)", "PFLOPS", "speed-up", "largest part"};
  std::vector<Align> alignment{Align::left, Align::right, Align::right, Align::right, Align::right, Align::left};
  if (any_recorded) {
    header.insert(header.end(), {"recorded (s)", "error"});
    alignment.insert(alignment.end(), {Align::right, Align::right});
  }
  std::vector<std::vector<std::string>> rows;
  for (const RunRecord& record : records) {
    require(record.metrics.has_value(), "only simulated plans can be compared");
    const Metrics& metrics = *record.metrics;
    const LargestPart largest = largest_part(metrics.breakdown);
    std::vector<std::string> row{
        record.scheduler,
        record.cost ? fmt::format("{:.3f}", record.cost->total().value) : "-",
        fmt::format("{:.2f}", metrics.iteration.value),
        fmt::format("{:.3f}", metrics.throughput.value / 1e15),
        fmt::format("{:.2f}x", records.front().metrics->iteration / metrics.iteration),
        fmt::format("{} {:.0f} %", largest.name, 100 * (largest.seconds / metrics.iteration))};
    if (any_recorded) {
      row.push_back(record.recorded ? fmt::format("{:.2f}", record.recorded->value) : "-");
      row.push_back(record.recorded ? fmt::format("{:+.1f} %", 100 * (metrics.iteration / *record.recorded - 1))
                                    : "-");
    }
    rows.push_back(std::move(row));
  }
  return text_table(header, alignment, rows);
}

}  // namespace longhaul
