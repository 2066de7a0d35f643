#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "analysis/study_results.hpp"
#include "sim/results/text_table.hpp"

namespace longhaul {
namespace {

// The axis down the table: the figure's, or else the last one that is no sample.
std::size_t axis_down(const Study& study) {
  if (study.figure) return study.figure->x;
  for (std::size_t axis = study.axes.size(); axis-- > 0;)
    if (!study.axes[axis].samples) return axis;
  return 0;
}

// The labels on all other axes.
std::string column_of(const Study& study, const StudyPoint& point, std::size_t down) {
  std::string name;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    if (axis != down && point[axis]) name += (name.empty() ? "" : ", ") + label_at(study, point, axis);
  return name;
}

std::string cell_of(const StudySummary& summary) {
  if (summary.count == 0) return "-";
  if (summary.count == 1) return fmt::format("{:.4g}", summary.p50);
  return fmt::format("{:.4g} ({:.4g}-{:.4g})", summary.p50, summary.p10, summary.p90);
}

}  // namespace

std::string results_table(const StudyResults& results) {
  const Study& study = results.study;
  const std::size_t down = axis_down(study);
  const std::vector<StudySummary> summaries = summaries_of(results);
  const auto failed =
      std::count_if(results.rows.begin(), results.rows.end(), [](const StudyRow& row) { return !row.error.empty(); });
  std::string text = fmt::format("{}: {}\n{} points", study.name, study.description, results.rows.size());
  if (failed > 0) text += fmt::format(", {} failed", failed);
  const bool sampled =
      std::any_of(study.axes.begin(), study.axes.end(), [](const auto& axis) { return axis.samples; });
  if (sampled) text += "; of samples the median, and the 10th to the 90th percentile";
  text += "\n";
  const std::string shown = study.figure ? study.figure->y : study.metrics.front();
  std::vector<std::string> columns;
  std::vector<std::string> lines;
  std::map<std::pair<std::string, std::string>, std::string> cells;
  const auto place = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const StudySummary& summary : summaries) {
    if (study.metrics[summary.metric] != shown) continue;
    const std::string line = study.axes[down].samples ? "all" : label_at(study, summary.point, down);
    const std::string column = column_of(study, summary.point, down);
    place(lines, line);
    place(columns, column);
    cells[{line, column}] = cell_of(summary);
  }
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines) {
    rows.push_back({line});
    for (const std::string& column : columns) rows.back().push_back(cells[{line, column}]);
  }
  std::vector<std::string> header{study.axes[down].name};
  header.insert(header.end(), columns.begin(), columns.end());
  std::vector<Align> alignment(header.size(), Align::right);
  alignment.front() = Align::left;
  text += "\n" + shown + "\n" + text_table(header, alignment, rows);
  if (study.metrics.size() > 1) text += "\nmore metrics by --json, or in the files of --out\n";
  return text;
}

}  // namespace longhaul
