#include "analysis/override.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "sim/description/data_folder.hpp"

namespace longhaul {

void check_override_key(const std::string& key, const Config& where, const std::vector<std::string>& others) {
  if (key == "platform" || (key.find('.') != std::string::npos && key.front() != '.' && key.back() != '.')) return;
  std::string accepted;
  for (const std::string& other : others) accepted += other + ", ";
  throw where.error(fmt::format("unknown {}key '{}'", others.empty() ? "" : "column or ", key), "",
                    accepted + "platform, or a dotted key of the scenario such as job.layers");
}

std::vector<Override> read_overrides(const Config& config) {
  std::vector<Override> overrides;
  for (const auto& [key, value] : config.entries()) {
    check_override_key(key, value);
    if (value.is_nothing()) throw value.error("no value", "", "a value, or no such key");
    value.leave_to_others();  // a map or list of the scenario, whose reader checks it
    overrides.push_back({key, value});
  }
  return overrides;
}

std::string scenario_named(const Config& value, const std::string& file) {
  std::string given = value.text();
  if (given.find_first_of("/.") == std::string::npos) return data_file("scenarios", given, ".yaml", value.where());
  const std::filesystem::path path(given);
  if (path.is_absolute()) return given;
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

}  // namespace longhaul
