// What a sweep found, read back from its results.json (keys: README.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace longhaul {

struct SweptAxis {
  std::string name;
  std::string unit;                 // of the numbers; may be empty
  std::vector<std::string> values;  // labels, in study order
  std::vector<double> numbers;      // as long as `values`; empty where some label is no number
  bool samples = false;             // values differ by chance only, such as seeds
};

/// A metric at one place: over the samples, if there are any.
struct SweptPoint {
  std::vector<std::optional<std::size_t>> place;  // per axis the index of its value; none where it has none there
  double mean = 0;
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
  std::size_t count = 0;
};

struct SweptMetric {
  std::string name;
  std::vector<SweptPoint> points;  // in study order; places whose runs are missing are left out
};

/// The chart that the study itself wants.
struct SweptFigure {
  std::string title;
  std::size_t x = 0;  // axis
  std::string y;      // metric
  std::string y_label;
  std::optional<std::size_t> reference;  // value of x: what is shown is its result less the others'
};

struct SweptStudy {
  std::string name;
  std::string description;
  std::vector<SweptAxis> axes;
  std::vector<SweptMetric> metrics;
  std::optional<SweptFigure> figure;

  bool has_samples() const;
};

/// UserError with the file's name where it is no study.
SweptStudy read_swept_study(const std::string& path);

}  // namespace longhaul
