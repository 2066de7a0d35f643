#include "analysis/study_results.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

double percentile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - std::floor(position));
}

StudySummary summary_of(const StudyPoint& point, std::size_t metric, std::vector<double> values) {
  StudySummary summary;
  summary.point = point;
  summary.metric = metric;
  summary.count = values.size();
  if (values.empty()) return summary;
  std::sort(values.begin(), values.end());
  summary.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  summary.p10 = percentile(values, 0.1);
  summary.p50 = percentile(values, 0.5);
  summary.p90 = percentile(values, 0.9);
  return summary;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::vector<StudySummary> summaries_of(const StudyResults& results) {
  const Study& study = results.study;
  const std::vector<StudyPoint> points = points_of(study);
  std::map<StudyPoint, std::size_t> number;  // of the group
  std::vector<StudyPoint> groups;            // in study order
  std::vector<std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < points.size(); ++i) {
    StudyPoint group = points[i];
    for (std::size_t axis = 0; axis < group.size(); ++axis)
      if (study.axes[axis].samples) group[axis].reset();
    const auto [found, added] = number.emplace(group, groups.size());
    if (added) {
      groups.push_back(group);
      members.emplace_back();
    }
    members[found->second].push_back(i);
  }
  std::vector<StudySummary> summaries;
  for (std::size_t metric = 0; metric < study.metrics.size(); ++metric)
    for (std::size_t i = 0; i < groups.size(); ++i) {
      std::vector<double> values;
      for (const std::size_t row : members[i])
        if (const auto value = results.rows[row].values[metric]) values.push_back(*value);
      summaries.push_back(summary_of(groups[i], metric, std::move(values)));
    }
  return summaries;
}

const std::string& label_at(const Study& study, const StudyPoint& point, std::size_t axis) {
  static const std::string missing = "-";
  return point[axis] ? study.axes[axis].values[*point[axis]].label : missing;
}

std::string results_csv(const StudyResults& results) {
  const Study& study = results.study;
  std::string text = "point";
  for (const StudyAxis& axis : study.axes) text += "," + axis.name;
  for (const std::string& metric : study.metrics) text += "," + metric;
  text += ",error\n";
  const std::vector<StudyPoint> points = points_of(study);
  for (const StudyRow& row : results.rows) {
    text += std::to_string(row.point);
    for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
      text += "," + csv_cell(label_at(study, points[row.point], axis));
    for (const auto& value : row.values) text += "," + (value ? shortest(*value) : "");
    text += "," + csv_cell(row.error) + "\n";
  }
  return text;
}

}  // namespace longhaul
