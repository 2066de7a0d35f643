#include "analysis/explanation_tables.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/results/text_table.hpp"

namespace longhaul {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t most_links = 8;
constexpr std::size_t most_devices_shown = 5;

std::vector<Align> left_then_right(std::size_t columns) {
  std::vector<Align> alignment(columns, Align::right);
  alignment.front() = Align::left;
  return alignment;
}

std::string table(const std::vector<std::string>& header, const Rows& rows) {
  return rows.empty() ? "" : text_table(header, left_then_right(header.size()), rows);
}

// A table with a line for the rows that it leaves out, and an empty line after it; nothing without rows.
std::string table(const std::vector<std::string>& header, const Rows& rows, std::size_t all, const char* what) {
  if (rows.empty()) return "";
  const std::string rest =
      all > rows.size() ? fmt::format("  … and {} more {} (see --json)\n", all - rows.size(), what) : "";
  return table(header, rows) + rest + "\n";
}

std::string seconds(Seconds value) { return fmt::format("{:.2f}", value.value); }
// Gains are small: the sign matters, and that nothing is nothing.
std::string gain(Seconds value) { return value == Seconds() ? "0" : fmt::format("{:+.3f}", value.value); }
std::string percent(Seconds part, Seconds whole) { return fmt::format("{:.1f} %", 100 * (part / whole)); }

std::string parts_table(const char* title, const std::vector<PathPart>& parts, Seconds whole, std::size_t most,
                        const char* what) {
  Rows rows;
  for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) {
    const PathPart& part = parts[i];
    rows.push_back({"  " + words_for(part.name), seconds(part.seconds()), percent(part.seconds(), whole),
                    seconds(part.lag), std::to_string(part.steps), std::to_string(part.queued)});
  }
  return table({title, "seconds", "share", "delay", "tasklets", "queued"}, rows, parts.size(), what);
}

Rows slack_rows(std::vector<Slack> slacks, std::size_t most) {
  std::stable_sort(slacks.begin(), slacks.end(), [](const Slack& a, const Slack& b) { return a.mean < b.mean; });
  Rows rows;
  for (std::size_t i = 0; i < std::min(most, slacks.size()); ++i)
    rows.push_back({"  " + words_for(slacks[i].name), seconds(slacks[i].mean), seconds(slacks[i].least),
                    seconds(slacks[i].busy)});
  return rows;
}

// A row of the gains of one thing.
std::vector<std::string> gains_row(const Sensitivity& one, Seconds iteration) {
  const Load& load = one.load;
  return {"  " + words_for(load.target.name),
          load.bytes > Bytes() ? fmt::format("{:.2f}", load.bytes.value / 1e9) : "-",
          seconds(load.on_path),
          gain(one.percent.predicted),
          gain(*one.percent.simulated),
          gain(one.twice.predicted),
          gain(*one.twice.simulated),
          percent(*one.twice.simulated, iteration),
          one.half_delay.simulated ? gain(*one.half_delay.simulated) : "-"};
}

// Those of some kinds, the largest change first.
std::string saved_by(const char* title, const std::vector<TargetKind>& kinds,
                     const std::vector<Sensitivity>& sensitivities, Seconds iteration) {
  std::vector<const Sensitivity*> chosen;
  for (const Sensitivity& one : sensitivities)
    if (std::count(kinds.begin(), kinds.end(), one.load.target.kind) > 0) chosen.push_back(&one);
  if (chosen.empty()) return "";
  std::stable_sort(chosen.begin(), chosen.end(), [](const Sensitivity* a, const Sensitivity* b) {
    return std::abs(a->twice.simulated->value) > std::abs(b->twice.simulated->value);
  });
  Rows rows;
  for (std::size_t i = 0; i < std::min(most_links, chosen.size()); ++i)
    rows.push_back(gains_row(*chosen[i], iteration));
  return table({title, "GB", "on path (s)", "1 % faster: predicted", "simulated", "2x: predicted", "simulated",
                "share", "half the delay"},
               rows, chosen.size(), "with smaller changes");
}

}  // namespace

std::string words_for(const std::string& target) {
  const std::size_t arrow = target.find("->");
  if (arrow != std::string::npos) {
    const std::string from = target.substr(0, arrow), to = target.substr(arrow + 2);
    if (from == to) return "inside " + from;
    if (from == "*") return "all into " + to;
    if (to == "*") return "all out of " + from;
    return target;
  }
  if (target == "between_regions") return "all between regions";
  if (target == "inside_regions") return "all inside regions";
  if (target == "inside_machines") return "inside machines";
  if (target == "nics") return "network cards";
  return target;
}

std::string path_tables(const Explanation& explanation) {
  const Attribution& path = explanation.path;
  const Seconds whole = explanation.iteration;
  return parts_table("critical path by phase", path.phases, whole, path.phases.size(), "phases") +
         parts_table("by link", path.links, whole, most_links, "links") +
         parts_table("by device", path.devices, whole, most_devices_shown, "devices");
}

std::string slack_tables(const Explanation& explanation) {
  const auto rows_of = [&](const char* title, const std::vector<Slack>& slacks, std::size_t most, const char* what) {
    return table({title, "mean (s)", "least (s)", "busy (s)"}, slack_rows(slacks, most), slacks.size(), what);
  };
  return rows_of("slack of stages", explanation.stage_slack, most_links, "stages") +
         rows_of("of devices", explanation.device_slack, most_devices_shown, "devices") +
         rows_of("of links", explanation.link_slack, most_links, "links");
}

std::string sensitivity_tables(const std::vector<Sensitivity>& sensitivities, Seconds iteration) {
  return saved_by("seconds saved by links", {TargetKind::link}, sensitivities, iteration) +
         saved_by("by links of a region", {TargetKind::region}, sensitivities, iteration) +
         saved_by("by classes, device types", {TargetKind::link_class, TargetKind::device_type}, sensitivities,
                  iteration);
}

std::string crossover_table(const Crossovers& crossovers, const std::vector<std::string>& plans) {
  std::vector<std::string> header{"  bandwidth x"};
  header.insert(header.end(), plans.begin(), plans.end());
  header.emplace_back("best");
  Rows rows;
  for (const PlansAt& point : crossovers.grid) {
    std::vector<std::string> row{fmt::format("  {:.3g}", point.factor)};
    for (const Seconds iteration : point.iteration) row.push_back(seconds(iteration));
    row.push_back(plans[point.best]);
    rows.push_back(std::move(row));
  }
  return table(header, rows);
}

}  // namespace longhaul
