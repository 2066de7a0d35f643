// A parameter that calibration may change: one dotted key of scenarios, and the bounds within which it is looked for.
#pragma once

#include <optional>
#include <string>

#include "sim/base/error.hpp"
#include "sim/description/config.hpp"

namespace longhaul {

/// Values are numbers of `unit`; an empty unit means a plain number.
struct Parameter {
  std::string key;
  std::string unit;
  double low = 0;
  double high = 1;
  Location where;
};

/// Reads `key: [low, high]`. The unit is the upper bound's; the lower bound may have another one of the same kind.
/// UserError where they are no such pair or low is not below high.
Parameter read_parameter(const std::string& key, const Config& bounds);

/// A value as it stands in a scenario, such as "5 ms", as a number of the parameter's unit; nothing if it is no such
/// value.
std::optional<double> value_in_unit(const Parameter& parameter, const std::string& text);

/// The value as scenarios have it, "5 ms".
std::string text_of(const Parameter& parameter, double value);

}  // namespace longhaul
