// What a study found: a row per point, summed up over samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/study.hpp"

namespace longhaul {

struct StudyRow {
  std::size_t point = 0;                      // index in points_of
  std::vector<std::optional<double>> values;  // per metric; none = the run has no such number
  std::string error;                          // why the point could not be run; empty = it could
};

/// A study and all its rows, in study order. The overrides of the study are not looked at.
struct StudyResults {
  Study study;
  std::vector<StudyRow> rows;
};

/// One metric over the samples of a point, or of the point itself where nothing is sampled.
struct StudySummary {
  StudyPoint point;  // none on the axes of samples
  std::size_t metric = 0;
  std::size_t count = 0;  // of values; what follows is 0 where there are none
  double mean = 0;
  double p10 = 0;  // percentiles, interpolated linearly between order statistics
  double p50 = 0;
  double p90 = 0;
};

/// For every metric, every point without its samples, in study order.
std::vector<StudySummary> summaries_of(const StudyResults& results);

/// The label of a point on an axis; "-" where the axis does not exist.
const std::string& label_at(const Study& study, const StudyPoint& point, std::size_t axis);

/// One line per point: point, axes, metrics, error.
std::string results_csv(const StudyResults& results);
/// Described in README.md.
std::string results_json(const StudyResults& results);
/// For people: the figure's metric (else the first) with a line per value of one axis and a column per combination of the others.
std::string results_table(const StudyResults& results);

}  // namespace longhaul
