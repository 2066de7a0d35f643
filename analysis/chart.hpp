// A chart as data: what is drawn, not how. chart_gnuplot.hpp draws it for papers, the report for browsers.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace longhaul {

/// Values under one name. `low` and `high` are empty or as long as `y`: a band around it, such as percentiles.
struct Series {
  std::string name;
  std::vector<double> x;  // lines, points: where; bars: empty, y[i] belongs to category i
  std::vector<double> y;
  std::vector<double> low;
  std::vector<double> high;
  std::vector<std::string> labels;  // of points; empty = none
};

enum class ChartKind {
  lines,
  points,
  stacked_bars,  // one bar per category, its series on each other
  matrix,        // series = rows, categories = columns; NaN = no value
};

enum class Scale { linear, logarithmic };

struct Axis {
  std::string label;  // with the unit, as in "iteration (s)"
  Scale scale = Scale::linear;
};

struct Chart {
  std::string id;  // unique in a report: a word of a-z, 0-9, _; names its file
  std::string title;
  std::string summary;  // one sentence that says what it shows: the text alternative
  ChartKind kind = ChartKind::lines;
  Axis x;
  Axis y;  // of a matrix: the values
  std::vector<std::string> categories;
  std::vector<Series> series;
  std::optional<double> diagonal;  // of points with x and y alike: a line where they are equal, a band of this share
};

}  // namespace longhaul
