#include "analysis/line_fit.hpp"

#include <algorithm>
#include <cmath>

namespace longhaul {
namespace {

double mean_of(const std::vector<LinePoint>& points, double LinePoint::*part) {
  double sum = 0;
  for (const LinePoint& point : points) sum += point.*part;
  return sum / static_cast<double>(points.size());
}

Line line_through(const std::vector<LinePoint>& points, double LinePoint::*part) {
  const double x_mean = mean_of(points, &LinePoint::x);
  const double y_mean = mean_of(points, part);
  double both = 0;
  double square = 0;
  for (const LinePoint& point : points) {
    both += (point.x - x_mean) * (point.*part - y_mean);
    square += (point.x - x_mean) * (point.x - x_mean);
  }
  const double slope = both / square;
  return {slope, y_mean - slope * x_mean};
}

std::optional<double> relative_error(double simulated, double recorded) {
  if (recorded == 0) return std::nullopt;
  return (simulated - recorded) / std::abs(recorded);
}

std::optional<double> mean_absolute(const std::vector<LineError>& errors, std::optional<double> LineError::*part) {
  double sum = 0;
  std::size_t count = 0;
  for (const LineError& error : errors) {
    if (!(error.*part)) continue;
    sum += std::abs(*(error.*part));
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

}  // namespace

std::vector<LineError> line_errors(const std::vector<LinePoint>& points) {
  std::vector<std::vector<LinePoint>> lines;
  for (const LinePoint& point : points) {
    auto found =
        std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line[0].line == point.line; });
    if (found == lines.end()) found = lines.insert(lines.end(), std::vector<LinePoint>());
    found->push_back(point);
  }
  std::vector<LineError> errors;
  for (const std::vector<LinePoint>& line : lines) {
    if (std::all_of(line.begin(), line.end(), [&](const LinePoint& point) { return point.x == line[0].x; })) continue;
    LineError error;
    error.line = line[0].line;
    error.points = line.size();
    error.recorded = line_through(line, &LinePoint::recorded);
    error.simulated = line_through(line, &LinePoint::simulated);
    error.slope_error = relative_error(error.simulated.slope, error.recorded.slope);
    error.intercept_error = relative_error(error.simulated.intercept, error.recorded.intercept);
    errors.push_back(std::move(error));
  }
  return errors;
}

MeanLineError mean_line_error(const std::vector<LineError>& errors) {
  return {mean_absolute(errors, &LineError::slope_error), mean_absolute(errors, &LineError::intercept_error)};
}

}  // namespace longhaul
