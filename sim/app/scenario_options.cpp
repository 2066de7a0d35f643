#include "sim/app/scenario_options.hpp"

#include <filesystem>

#include "sim/description/data_folder.hpp"

namespace longhaul {

std::string scenario_path(const std::string& file_or_name) {
  const bool is_name = file_or_name.find_first_of("/.") == std::string::npos;
  if (!is_name || std::filesystem::exists(file_or_name)) return file_or_name;
  return data_file("scenarios", file_or_name, ".yaml", {});
}

Scenario read_scenario(const ScenarioOptions& options) {
  constexpr std::string_view with_map = "rank_map:";
  ScenarioSource source(scenario_path(options.scenario));
  for (const std::string& assignment : options.assignments) source.set(assignment);
  if (options.seed) source.set_text("scheduler.seed", *options.seed);
  if (options.rank_map) source.set_text("scheduler.rank_map", *options.rank_map);
  if (options.scheduler && options.scheduler->rfind(with_map, 0) == 0) {
    source.set_text("scheduler.name", "rank_map");
    source.set_text("scheduler.rank_map", options.scheduler->substr(with_map.size()));
  } else if (options.scheduler) {
    source.set_text("scheduler.name", *options.scheduler);
  }
  return source.read();
}

}  // namespace longhaul
