// What a sweep found, read back from its results.json (keys: README.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace longhaul {

struct StudyAxis {
  std::string name;
  std::vector<std::string> values;             // labels, in study order
  std::vector<std::optional<double>> numbers;  // as long as `values`; none where a label is no number
  bool samples = false;                        // values differ by chance only, such as seeds

  /// Whether every value is a number.
  bool numeric() const;
};

/// A metric at one place: over the samples, if there are any.
struct StudyPoint {
  std::vector<std::size_t> place;  // index into the values of each axis that has no samples, in their order
  double mean = 0;
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
  std::size_t count = 0;
};

struct StudyMetric {
  std::string name;
  std::vector<StudyPoint> points;  // in study order; places whose runs are missing are left out
};

struct StudyResult {
  std::string name;
  std::string description;
  std::string plan;  // what the study does with the plan at each point
  std::vector<StudyAxis> axes;
  std::vector<StudyMetric> metrics;

  /// The axes that have no samples, in order: what StudyPoint::place counts along.
  std::vector<const StudyAxis*> plain_axes() const;
  bool has_samples() const;
};

/// UserError with the file's name where it is no study.
StudyResult read_study(const std::string& path);

}  // namespace longhaul
