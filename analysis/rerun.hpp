// Plans held fixed while the world changes: the runs that an explanation asks for. Analysis is handed the function that
// performs them and sees no engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/case_runner.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/results/timeline.hpp"
#include "sim/workload/contested_links.hpp"

namespace longhaul {

/// Something is made faster or slower.
struct WhatIf {
  enum class Of { bandwidth, delay, compute };
  Of what = Of::bandwidth;
  std::string target;  // a selector of links (sim/description/link_changes.hpp), or a device type
  double factor = 1;   // bandwidth, delay or computing speed is multiplied by it
};

/// A plan on a changed scenario.
struct Rerun {
  TaskletGraph graph;
  PlatformView platform;
  ContestedLinks links;  // of the graph on that platform
  Timeline timeline;     // of extent simulated only
};

struct Rerunner {
  std::vector<std::string> plans;  // who made each; the first is the one that is explained
  /// Plan number `plan` on the scenario with all of the changes. Changes of one target multiply.
  std::function<Rerun(std::size_t plan, const std::vector<WhatIf>& changes, Extent extent)> run;
  /// Whether links can become that fast; may be empty: they always can. Only such changes may be run.
  std::function<bool(const std::vector<WhatIf>& changes)> possible;
  bool can(const std::vector<WhatIf>& changes) const { return !possible || possible(changes); }
  NetworkModel network;
  std::size_t stages = 1;  // of the explained plan's pipeline
  std::function<Stage(RankId)> stage_of;
  bool changeable = true;     // false = the links of this platform cannot be changed by class
  std::size_t processes = 1;  // runs at a time
  std::function<void(const std::string& what, double share)> progress;  // may be empty
};

}  // namespace longhaul
