// Where the best plan changes: several plans, held fixed, over a range of bandwidths.
#pragma once

#include <string>
#include <vector>

#include "analysis/rerun.hpp"

namespace longhaul {

/// The plans at one factor on the bandwidth.
struct PlansAt {
  double factor = 1;
  std::vector<Seconds> iteration;  // by plan
  std::size_t best = 0;            // the first of those that take the least
};

/// From `above` to `below` on, another plan is best.
struct Crossover {
  double factor = 1;  // within 1 %
  std::size_t below = 0;
  std::size_t above = 0;
};

struct Crossovers {
  std::string links;             // the selector of the links that were changed
  std::vector<PlansAt> grid;     // ascending factors
  std::vector<Crossover> found;  // ascending factors; those between two points of the grid, where both ends differ
};

/// Every plan of the rerunner at factors 0.1 to 100 on the bandwidth of `links`, four per decade; bisection where the best
/// changes between two of them.
Crossovers find_crossovers(const std::string& links, const Rerunner& rerunner);

}  // namespace longhaul
