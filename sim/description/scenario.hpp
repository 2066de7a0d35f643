// A Scenario: everything that is simulated, as read from a scenario file and overridden on the command line.
// Its keys are described in scenarios/README.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/description/cluster.hpp"
#include "sim/description/config.hpp"
#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/plan_settings.hpp"
#include "sim/description/scheduler_settings.hpp"

namespace longhaul {

/// Seconds that somebody measured for a setting of this scenario, dropped where other keys than layers, batch and scheduler
/// are overridden. It applies to a run with the same layers and batch
/// whose scheduler is among `schedulers` or whose placement equals `rank_map`.
struct RecordedTiming {
  std::size_t layers = 0;
  std::size_t global_batch = 0;
  std::vector<std::string> schedulers;
  std::vector<RankId> rank_map;
  Seconds seconds;
  std::string source;
};

/// What to point at when keys do not fit together: the last of them that is overridden, or else the first.
struct Culprits {
  Location workload;  // plan.workload, or the plan
  Location degrees;   // plan.pipeline, .data, .tensor
  Location layers;    // plan.layers_per_stage, job.layers, plan.pipeline
  Location batch;     // job.global_batch, .micro_batches, .micro_batch, plan.data
  Location chunks;    // plan.schedule, virtual_stages, pipeline, job.micro_batches
  Location groups;    // plan.sync_groups, layers_per_stage, pipeline
  Location size;      // what makes an iteration large
};

struct Scenario {
  std::string name;
  std::string description;
  std::string platform;  // path of a cluster description or SimGrid file; the scenario itself if the cluster is in it
  std::optional<Cluster> cluster;  // described in the scenario
  NetworkModel network;
  Job job;
  PlanSettings plan;
  SchedulerSettings scheduler;
  std::vector<RecordedTiming> recorded;
  Culprits culprits;
};

/// Reads a scenario file, then applies overrides `key.subkey=value`. Paths in the file are relative to it, paths in
/// overrides to the working folder, or to the file that the override's value stands in. Throws UserError.
class ScenarioSource {
 public:
  explicit ScenarioSource(const std::string& path);
  void set(const std::string& assignment);
  /// The same for a value that is taken literally, not as YAML; `origin` stands for it in messages.
  void set_text(const std::string& dotted_key, const std::string& text, const std::string& origin) {
    config_.override_with_text(dotted_key, text, origin);
  }
  /// The same for a value of another file, such as a suite.
  void set_value(const std::string& dotted_key, const Config& value);
  /// Reads everything and rejects what nothing reads.
  Scenario read() const;

 private:
  std::string resolve(const Config& path) const;
  std::vector<RankId> read_ranks(const Config& value) const;
  Job read_job(const Config& config) const;
  Culprits find_culprits() const;
  RecordedTiming read_recorded(const Config& config) const;

  std::vector<std::string> files_;  // in which paths are relative to the file
  Config config_;
  bool altered_ = false;  // something was overridden that recorded timings do not vary
};

/// The scenario as YAML with every default spelled out; reading it back gives the same scenario. `platform` replaces
/// the platform's path.
std::string resolved_yaml(const Scenario& scenario, const std::string& platform);

}  // namespace longhaul
