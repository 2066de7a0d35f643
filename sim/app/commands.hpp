// The commands of the program. Each does one thing, prints its answer on standard output, and throws on failure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace longhaul {

/// What `run`, `plan`, `compare` and `explain` take.
struct ScenarioOptions {
  std::string scenario;  // a file, or the name of a shipped scenario
  std::optional<std::string> scheduler;
  std::optional<std::string> rank_map;
  std::optional<std::string> seed;
  std::vector<std::string> assignments;  // --set key=value
  std::string engine = "auto";           // run and compare: auto, simgrid, fast or both
  std::optional<std::string> out;        // folder for result files
  std::vector<std::string> schedulers;   // compare and explain only
  bool json = false;
  bool timing = false;
  bool groups = false;  // plan only: ranks and groups instead of a summary
};

/// What `regress` and `calibrate` take.
struct SuiteOptions {
  std::vector<std::string> suites;  // files, or names of shipped suites
  bool json = false;
  std::size_t jobs = 0;            // cases at a time; 0 = one per processor
  bool record = false;             // regress only
  std::optional<std::string> svg;  // regress only: file for the plot
  std::vector<std::string> fit;    // calibrate only: parameters; none = all that the suites name
  std::size_t evaluations = 60;    // calibrate only: points that are tried
};

/// What `sweep` takes.
struct SweepOptions {
  std::string study;               // a file, or the name of a shipped study
  std::size_t jobs = 0;            // points at a time; 0 = one per processor
  std::optional<std::string> out;  // folder for journal and results
  bool resume = false;
  std::optional<std::string> shard;  // "2/8"
  bool json = false;
};

/// What `merge` takes.
struct MergeOptions {
  std::vector<std::string> folders;  // that sweeps wrote into
  std::optional<std::string> out;    // folder for the results; none = the first
  bool json = false;
};

void run_command(const ScenarioOptions& options);
void plan_command(const ScenarioOptions& options);
void compare_command(const ScenarioOptions& options);
void explain_command(const ScenarioOptions& options);
/// Returns the exit code: 0 = every case passes, 1 = some case fails.
int regress_command(const SuiteOptions& options);
void calibrate_command(const SuiteOptions& options);
/// Returns the exit code: 0 = every point could be run, 1 = some point failed.
int sweep_command(const SweepOptions& options);
int merge_command(const MergeOptions& options);
/// Makes the HTML report of a folder of results, at `out` or as report.html in the folder.
void report_command(const std::string& folder, const std::optional<std::string>& out);
/// Draws the figures of a folder of results as SVG files in the folder `out`.
void pictures_command(const std::string& folder, const std::string& out);
void list_command(const std::string& what);
/// Things that `list` can list.
std::vector<std::string> listable();
void validate_command(const std::string& file);
/// Builds the SimGrid file of each cluster description: beside it, or at `out` if there is one description.
void platform_build_command(const std::vector<std::string>& descriptions, const std::optional<std::string>& out);

}  // namespace longhaul
