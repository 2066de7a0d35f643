// Placements from files: the rank of each device, as whitespace-separated integers or a JSON array.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/ids.hpp"

namespace longhaul {

/// Device i gets rank result[i]. UserError with line and column for anything but a permutation of 0 … n - 1.
std::vector<RankId> read_rank_map(const std::string& path);

/// The same check for ranks that come from elsewhere.
void check_permutation(const std::vector<RankId>& ranks, const Location& where);

}  // namespace longhaul
