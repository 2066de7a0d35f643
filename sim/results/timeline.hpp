// What happened: when each tasklet started and ended.
#pragma once

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
  std::vector<Span> spans;  // by tasklet id
  Seconds end;              // the latest finish
};

}  // namespace longhaul
