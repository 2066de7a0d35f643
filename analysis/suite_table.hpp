// The columns and rows of a suite file.
#pragma once

#include <string>
#include <vector>

#include "analysis/suite.hpp"

namespace longhaul {

/// What rows need to know from the rest of the file.
struct SuiteDefaults {
  std::string file;
  std::optional<Config> scenario;  // a path or a name
  std::vector<Override> set;
  double tolerance = 0;
  std::optional<Config> slope_over;
  std::vector<Config> ranked_by;
};

/// The cases in the file's order. UserError at the place of a mistake.
std::vector<SuiteCase> read_cases(const Config& columns, const Config& rows, const SuiteDefaults& defaults);

}  // namespace longhaul
