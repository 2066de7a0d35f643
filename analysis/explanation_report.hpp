// An explanation in words for people, and as JSON for programs.
#pragma once

#include <string>

#include "analysis/explanation.hpp"

namespace longhaul {

/// A paragraph, then tables.
std::string report_of(const Explanation& explanation, const std::string& scenario);

/// One object with a line break at the end. Keys, types and units are described in README.md and stay as they are.
std::string json_of(const Explanation& explanation, const std::string& scenario);

}  // namespace longhaul
