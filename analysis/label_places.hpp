// Where labels of points can stand without covering anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/gnuplot.hpp"

namespace longhaul {

/// A point with a name, in pixels from the plot's lower left corner.
struct Mark {
  double x = 0;
  double y = 0;
  std::string label;
};

/// gnuplot's commands for labels in the small font: beside, above or below its mark, in the order of marks, where a label
/// meets neither marks nor earlier labels nor the edge (the margin to the right counts as free). A label without such a
/// place is left out; marks less than a pixel apart share one. If possible labels do not meet `lines` either: points along
/// what else is drawn.
std::string label_commands(const std::vector<Mark>& marks, const Layout& layout, const std::vector<Mark>& lines = {});

}  // namespace longhaul
