// A regression in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "analysis/baseline.hpp"
#include "analysis/regression.hpp"

namespace longhaul {

/// Tables for people: every case by group, then errors per suite and group, lines, rankings, and a last line with the
/// verdict.
std::string report_of(const Regression& regression);

/// One object, indented, with a line break at the end. Keys are described in README.md and stay as they are.
/// `changes`: what --record writes, nothing without it.
std::string json_of(const Regression& regression, const std::optional<std::vector<BaselineChange>>& changes);

/// Five significant digits, for tables.
std::string five_digits(double value);
/// A share as "-7.7 %".
std::string signed_percent(double share);

}  // namespace longhaul
