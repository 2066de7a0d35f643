// A calibration in words and as JSON.
#pragma once

#include <string>

#include "analysis/calibration.hpp"

namespace longhaul {

/// Tables for people: errors before and after, values with their sensitivity; then the values as YAML to paste.
std::string report_of(const Calibration& calibration);

/// One object, indented, with a line break at the end. Keys are described in README.md and stay as they are.
std::string json_of(const Calibration& calibration);

}  // namespace longhaul
