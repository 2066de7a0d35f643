#include "sim/app/scenario_options.hpp"

#include <filesystem>

#include "sim/description/data_folder.hpp"

namespace longhaul {

std::string scenario_path(const std::string& file_or_name) {
  const bool is_name = file_or_name.find_first_of("/.") == std::string::npos;
  const bool is_folder = std::filesystem::is_directory(file_or_name);  // of results, named after the scenario
  if (!is_name || (std::filesystem::exists(file_or_name) && !is_folder)) return file_or_name;
  return data_file("scenarios", file_or_name, ".yaml", {});
}

Scenario read_scenario(const ScenarioOptions& options) {
  constexpr std::string_view with_map = "rank_map:";
  ScenarioSource source(scenario_path(options.scenario));
  for (const std::string& assignment : options.assignments) source.set(assignment);
  if (options.seed) source.set_text("scheduler.seed", *options.seed, "--seed " + *options.seed);
  if (options.rank_map) source.set_text("scheduler.rank_map", *options.rank_map, "--rank-map " + *options.rank_map);
  const bool names_map = options.scheduler && options.scheduler->rfind(with_map, 0) == 0;
  if (options.scheduler) {
    const std::string origin = "--scheduler " + *options.scheduler;
    source.set_text("scheduler.name", names_map ? "rank_map" : *options.scheduler, origin);
    if (names_map) source.set_text("scheduler.rank_map", options.scheduler->substr(with_map.size()), origin);
  }
  Scenario scenario = source.read();
  if (options.rank_map && (names_map || scenario.scheduler.name != "rank_map"))
    throw UserError({"--rank-map " + *options.rank_map, 0, 0},
                    "the scheduler is " + (names_map ? *options.scheduler : scenario.scheduler.name),
                    "it would not read this map", "--rank-map with --scheduler rank_map");
  return scenario;
}

}  // namespace longhaul
