#include "analysis/result_folder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "analysis/record_file.hpp"
#include "analysis/timeline_file.hpp"
#include "sim/base/error.hpp"
#include "sim/description/config.hpp"
#include "sim/description/platform_loader.hpp"

namespace longhaul {
namespace {

namespace fs = std::filesystem;

constexpr const char* accepted = "a folder that --out of run, compare, sweep or explain filled";

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string description_of(const std::string& scenario, const std::string& path) {
  const std::optional<Config> description = Config::parse(scenario, path).find("description");
  return !description || description->is_nothing() ? "" : description->text();
}

RunResult read_run(const std::string& folder) {
  for (const char* name : {"scenario.yaml", "platform.xml", "metrics.json", "timeline.csv"})
    if (!exists(folder + "/" + name))
      throw UserError({folder, 0, 0}, fmt::format("{} is missing", name), "other files of the run are there",
                      "everything that `longhaul run --out` wrote");
  RunResult run;
  run.scenario_yaml = read_result_text(folder + "/scenario.yaml");
  run.description = description_of(run.scenario_yaml, folder + "/scenario.yaml");
  run.record = read_record(folder + "/metrics.json");
  Platform platform = load_platform(folder + "/platform.xml");
  run.platform = std::move(platform.view);
  const bool trunk = platform.xml.find("<prop id=\"bandwidth_limit\" value=\"shared_trunk\"/>") != std::string::npos;
  run.sharing = trunk ? LinkSharing::everyone : LinkSharing::none;
  TimelineFile file = read_timeline(folder + "/timeline.csv", run.platform);
  run.tasklets = std::move(file.tasklets);
  run.timeline = std::move(file.timeline);
  const Seconds iteration = run.record.metrics->iteration;
  if (std::abs(run.timeline.end.value - iteration.value) > 1e-6 * iteration.value + 1e-8)
    throw UserError({folder + "/timeline.csv", 0, 0}, fmt::format("it ends at {:.6f} s", run.timeline.end.value),
                    fmt::format("metrics.json says {:.6f} s", iteration.value), "files of one and the same run");
  return run;
}

std::vector<std::string> study_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
    const std::string file = (entry->path() / "results.json").string();
    if (exists(file)) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  if (exists(folder + "/results.json")) files.insert(files.begin(), folder + "/results.json");
  return files;
}

}  // namespace

ResultFolder read_results(const std::string& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw UserError({folder, 0, 0}, exists(folder) ? "this is no folder" : "there is no such folder", "", accepted);
  ResultFolder results;
  results.path = folder;
  if (exists(folder + "/metrics.json") || exists(folder + "/timeline.csv")) results.run = read_run(folder);
  if (exists(folder + "/comparison.json")) results.comparison = read_records(folder + "/comparison.json");
  for (const std::string& file : study_files(folder)) results.studies.push_back(read_swept_study(file));
  if (exists(folder + "/explanation.json")) results.explanation = read_explanation(folder + "/explanation.json");
  if (!results.run && results.comparison.empty() && results.studies.empty() && !results.explanation)
    throw UserError({folder, 0, 0}, "no results are in this folder", "", accepted);
  return results;
}

}  // namespace longhaul
