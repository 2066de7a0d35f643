// One key of a scenario with another value, as suites and studies state it.
#pragma once

#include <string>
#include <vector>

#include "sim/description/config.hpp"

namespace longhaul {

struct Override {
  std::string key;
  Config value;
};

/// The key of an override: dotted, or `platform`. UserError at `where` otherwise; `others` are names that are accepted in its
/// place.
void check_override_key(const std::string& key, const Config& where, const std::vector<std::string>& others = {});

/// Overrides under `set`. UserError for keys that are none and for `~`.
std::vector<Override> read_overrides(const Config& config);

/// The path of a scenario that a file names: a shipped one, or a path relative to the file.
std::string scenario_named(const Config& value, const std::string& file);

}  // namespace longhaul
