// What happened: when each tasklet started and ended.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/units.hpp"

namespace longhaul {

/// Times since the start of the iteration.
struct Span {
  Seconds start;     // its stream began to serve it
  Seconds released;  // its stream was free again: for a transfer the last byte had left
  Seconds finish;    // its result was there: for a transfer the last byte had arrived
};

struct Timeline {
  std::vector<Span> spans;              // by tasklet id
  Seconds end;                          // the latest finish
  std::vector<Seconds> iteration_ends;  // of a workload of several iterations (repeated_workload.hpp)
};

/// The last iteration of a RepeatedWorkload of a graph of that many tasklets, as if it had been the only one: times count from
/// its first start.
Timeline last_iteration(const Timeline& all, std::size_t tasklets);

}  // namespace longhaul
