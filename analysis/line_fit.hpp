// Errors of slopes and intercepts: two errors that cancel in one case show along a line.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace longhaul {

struct LinePoint {
  std::string line;  // points with equal text form a line
  double x = 0;
  double recorded = 0;
  double simulated = 0;
};

/// y = intercept + slope x, by least squares.
struct Line {
  double slope = 0;
  double intercept = 0;
};

/// Errors are (simulated - recorded) / |recorded|; nothing where the recorded one is zero.
struct LineError {
  std::string line;
  std::size_t points = 0;
  Line recorded;
  Line simulated;
  std::optional<double> slope_error;
  std::optional<double> intercept_error;
};

/// One per line, in the order of their first points. Lines with less than two different x are left out.
std::vector<LineError> line_errors(const std::vector<LinePoint>& points);

/// Means of the absolute errors; nothing if there are none.
struct MeanLineError {
  std::optional<double> slope;
  std::optional<double> intercept;
};
MeanLineError mean_line_error(const std::vector<LineError>& errors);

}  // namespace longhaul
