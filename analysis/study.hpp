// A study: one scenario run at every point of a grid, as read from scenarios/studies/*.yaml. The format is described in
// scenarios/README.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/override.hpp"

namespace longhaul {

/// The most points of a study.
constexpr std::size_t most_points = 1'000'000;

struct AxisValue {
  std::string label;  // unique on its axis
  std::vector<Override> overrides;
};

/// What the plan is made for where an axis has a value.
enum class Planning {
  anew,  // for that value
  held,  // for the scenario without the axis: how does the plan fare that somebody runs already?
};

struct StudyAxis {
  std::string name;
  std::vector<AxisValue> values;  // at least one
  Planning planning = Planning::anew;
  bool samples = false;  // its values are draws of chance: results are summed up over them
  /// Values of an earlier axis where this one exists; elsewhere there is one point without it. None = everywhere.
  std::optional<std::size_t> only_on;
  std::vector<std::size_t> only_values;

  /// The values as numbers where all of them are such, or such with one and the same unit. Empty otherwise.
  std::vector<double> numbers() const;
  std::string unit() const;  // of `numbers`
};

/// A chart of the results.
struct StudyFigure {
  std::string title;
  std::size_t x = 0;  // axis
  std::string y;      // metric
  std::string y_label;
  std::optional<std::size_t> reference;  // value of x: bars show its result less the others'
};

struct Study {
  std::string file;
  std::string name;
  std::string description;
  std::string scenario;  // path
  std::vector<Override> overrides;
  std::vector<StudyAxis> axes;       // at least one
  std::vector<std::string> metrics;  // at least one
  std::optional<StudyFigure> figure;
};

/// One point: for each axis the index of its value, or none where the axis does not exist.
using StudyPoint = std::vector<std::optional<std::size_t>>;

/// The path itself if it looks like one or exists, else that of the shipped study of this name.
std::string study_path(const std::string& file_or_name);

/// Reads a study; every mistake is a UserError at its place. The scenario is not opened.
Study read_study(const std::string& path);

/// All points, in study order: the last axis runs fastest.
std::vector<StudyPoint> points_of(const Study& study);

enum class HeldAxes { taken, left_out };

/// The study's overrides and the point's, in the order of the axes; without those of held axes if so wished.
std::vector<Override> overrides_at(const Study& study, const StudyPoint& point, HeldAxes held);

/// Whether some held axis has a value at the point.
bool holds_plan(const Study& study, const StudyPoint& point);

}  // namespace longhaul
