// Ranges and tick marks of a chart's axes.
#pragma once

#include <string>
#include <vector>

#include "analysis/chart.hpp"

namespace longhaul {

/// low < high, both finite; both positive on a logarithmic scale.
struct AxisRange {
  double low = 0;
  double high = 1;
  Scale scale = Scale::linear;
};

/// Whether a value has a place on such a scale: finite, and positive if logarithmic.
bool has_place(double value, Scale scale);

/// tight: ends at the extreme values, for what is drawn from edge to edge. padded: marks at the ends stay inside.
/// from_zero: a linear scale without negative values begins at zero and ends at a tick mark.
enum class RangeKind { tight, padded, from_zero };

/// Holds every value that has a place. What has none changes nothing.
AxisRange axis_range(const std::vector<double>& values, Scale scale, RangeKind kind);

/// 1, 2, 5 times powers of ten within the range, about `most` at most; on long logarithmic scales powers of ten alone,
/// or every other one.
std::vector<double> ticks_of(const AxisRange& range, int most);

/// gnuplot's commands for axis "x", "y" or "cb": scale, range, tick marks as plain numbers, name.
std::string axis_commands(const std::string& name, const std::string& label, const AxisRange& range, int most_ticks);

/// What its widest tick label takes in pixels, about.
double ticks_width(const AxisRange& range, int most_ticks);

}  // namespace longhaul
