// What a folder of results holds, read back as values: files of `run --out`, `compare --out`, `sweep --out` and
// `explain --out`. A file that is not there leaves its part empty.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/explanation_file.hpp"
#include "analysis/swept_study.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/results/run_record.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/tasklet.hpp"

namespace longhaul {

/// Who shares the bandwidth between two regions.
enum class LinkSharing {
  none,      // each sender has its own
  everyone,  // a trunk (bandwidth_limit: shared_trunk)
};

/// One run: scenario.yaml, platform.xml, metrics.json, timeline.csv. Of tasklets, what timeline.csv says is filled in.
struct RunResult {
  std::string description;    // of the scenario; may be empty
  std::string scenario_yaml;  // every default spelled out
  PlatformView platform;
  LinkSharing sharing = LinkSharing::none;
  RunRecord record;
  std::vector<Tasklet> tasklets;  // by tasklet number
  Timeline timeline;
};

struct ResultFolder {
  std::string path;
  std::optional<RunResult> run;
  std::vector<RunRecord> comparison;           // comparison.json
  std::vector<SweptStudy> studies;             // results.json here, then of each direct subfolder by name
  std::optional<ExplanationFile> explanation;  // explanation.json
};

/// UserError: no such folder, none of the files in it, a run's folder that lacks some of its four files, a file that is
/// truncated or not in the form that Longhaul writes.
ResultFolder read_results(const std::string& folder);

}  // namespace longhaul
