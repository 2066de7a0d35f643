// Recording baselines anew: the numbers of a suite's file are replaced in place, every other byte stays.
#pragma once

#include <string>
#include <vector>

#include "analysis/regression.hpp"

namespace longhaul {

struct BaselineChange {
  std::string suite;
  std::string label;
  Location where;  // of the old number
  double before = 0;
  double after = 0;
};

/// What differs between recorded and simulated values of the suites of group baseline, in order. UserError if there
/// is no such suite, or if a new value would not be positive.
std::vector<BaselineChange> baseline_changes(const Regression& regression);

/// "suite: case: old -> new", a line each, or that nothing changes.
std::string report_of(const std::vector<BaselineChange>& changes);

/// `text` with the number at each change's place replaced, in the shortest digits that read back the same. UserError
/// if the number does not stand there plainly (quoted, behind an anchor, or used by several cases).
std::string with_changes(const std::string& text, const std::vector<BaselineChange>& changes);

/// Writes the changed files: all texts are made before the first is written, each file is written whole or not at
/// all.
void write_baselines(const std::vector<BaselineChange>& changes);

}  // namespace longhaul
