// Whether the simulation orders cases as the recorded values do.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace longhaul {

struct RankedCase {
  std::string group;
  std::string compared_for;  // only cases with equal text are compared
  std::string label;
  double recorded = 0;  // positive; the same unit throughout a group
  double simulated = 0;
  double differ_by = 0;  // share by which the recorded values of a pair must differ; of two the larger counts
};

/// A pair counts if larger recorded / smaller recorded - 1 > differ_by; it is right if the simulated values stand in
/// the same strict order.
struct RankingResult {
  std::string group;
  std::size_t pairs = 0;
  std::size_t right = 0;
  std::vector<std::pair<std::string, std::string>> wrong;  // labels
};

/// One result per group, in the order of their first cases.
std::vector<RankingResult> rankings_of(const std::vector<RankedCase>& cases);

}  // namespace longhaul
