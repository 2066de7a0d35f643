// Plans on small platforms whose links change, as analysis is handed them.
#pragma once

#include <string>
#include <vector>

#include "analysis/rerun.hpp"
#include "sim/description/link_changes.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

namespace longhaul {

/// A graph on a platform, simulated.
inline Rerun simulated(const Platform& platform, const TaskletGraph& graph, const NetworkModel& network = {}) {
  GraphWorkload workload(graph);
  return {graph, platform.view, ContestedLinks(platform, graph), simulate(platform, workload, network)};
}

/// Runs `plan` on changes of `cluster`. Speed factors divide forward and backward.
inline Rerunner rerunner_on(const Cluster& cluster, const Job& job, const Plan& plan,
                            const NetworkModel& network = {}) {
  Rerunner rerunner;
  rerunner.plans = {"test"};
  rerunner.network = network;
  rerunner.stage_of = [plan](RankId rank) { return plan.degrees.stage(rank); };
  rerunner.run = [=](std::size_t, const std::vector<WhatIf>& changes, Extent extent) {
    Cluster changed = cluster;
    Job faster = job;
    for (const WhatIf& change : changes) {
      if (change.what == WhatIf::Of::compute) {
        faster.compute.speed_factor *= change.factor;
        continue;
      }
      const std::string key = change.what == WhatIf::Of::delay ? "delay_factor" : "bandwidth_factor";
      change_links(
          changed,
          Config::parse("\"" + change.target + "\": {" + key + ": " + std::to_string(change.factor) + "}", "test"));
    }
    const Platform platform = load_cluster(changed);
    const TaskletGraph graph = pipeline_tasklets(faster, plan, platform.view, network);
    if (extent == Extent::planned) return Rerun{graph, platform.view, ContestedLinks(platform, graph), {}};
    return simulated(platform, graph, network);
  };
  return rerunner;
}

}  // namespace longhaul
