// Several plans of one scenario side by side.
#pragma once

#include <string>
#include <vector>

#include "sim/results/run_record.hpp"

namespace longhaul {

/// A table for people: one row per record, in their order; speed-up against the first.
std::string comparison_table(const std::vector<RunRecord>& records);

/// Name and value of the largest part of a breakdown.
struct LargestPart {
  std::string name;
  Seconds seconds;
};
LargestPart largest_part(const Breakdown& breakdown);

}  // namespace longhaul
