// Measured times of all-reduces among devices of one machine.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace longhaul {

struct MeasuredSums {
  /// Of one number of members: bytes that each has, rising, and the time until all have the sum of all.
  struct Curve {
    std::size_t members = 2;
    std::vector<std::pair<Bytes, Seconds>> points;
  };

  std::string name;
  Location where;  // of the key that names it
  std::vector<Curve> curves;

  /// Linear between measured sizes; what is smaller than all takes the time of the smallest, what is larger than all goes at
  /// the rate of the largest. UserError at `where` if that number of members was not measured.
  Seconds time(std::size_t members, Bytes bytes) const;
};

/// Reads scenarios/sums/NAME.yaml: `source`, and `sums`, a list of {members: COUNT, times: [[SIZE, TIME], …]} by rising size.
MeasuredSums find_measured_sums(const std::string& name, const Location& where);

}  // namespace longhaul
