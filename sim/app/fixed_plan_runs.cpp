#include "sim/app/fixed_plan_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "sim/app/run_scenario.hpp"
#include "sim/base/error.hpp"
#include "sim/base/parallel.hpp"
#include "sim/description/link_changes.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/workload/rank_layout.hpp"
#include "sim/workload/workload_builder.hpp"

namespace longhaul {
namespace {

void speed_up(ComputeModel& compute, const std::string& device_type, double factor) {
  const double speed = compute.speed_factor_of(device_type) * factor;
  auto& by_type = compute.speed_factor_by_type;
  const auto found =
      std::find_if(by_type.begin(), by_type.end(), [&](const auto& entry) { return entry.first == device_type; });
  if (found != by_type.end())
    found->second = speed;
  else
    by_type.emplace_back(device_type, speed);
}

}  // namespace

bool has_changeable_links(const Scenario& scenario) {
  return scenario.cluster || std::filesystem::path(scenario.platform).extension() != ".xml";
}

Scenario changed_scenario(const Scenario& scenario, const std::vector<WhatIf>& changes) {
  Scenario changed = scenario;
  std::map<std::string, std::map<const char*, double>> factors;  // by selector and key
  for (const WhatIf& change : changes) {
    if (change.what == WhatIf::Of::compute) {
      speed_up(changed.job.compute, change.target, change.factor);
      continue;
    }
    const char* key = change.what == WhatIf::Of::delay ? "delay_factor" : "bandwidth_factor";
    factors[change.target].emplace(key, 1).first->second *= change.factor;
  }
  if (factors.empty()) return changed;
  require(changed.cluster.has_value(), "links change in a cluster description only");
  std::string links;
  for (const auto& [selector, by_key] : factors) {
    links += fmt::format("\"{}\": {{", selector);
    for (const auto& [key, factor] : by_key) links += fmt::format("{}: {}, ", key, factor);
    links += "}\n";
  }
  change_links(*changed.cluster, Config::parse(links, "a change of links"));
  return changed;
}

Rerunner rerunner_of(const Scenario& scenario, const std::vector<Plan>& plans,
                     const std::vector<std::string>& schedulers) {
  Scenario base = scenario;
  Rerunner rerunner;
  rerunner.plans = schedulers;
  rerunner.network = scenario.network;
  rerunner.stage_of = [layout = RankLayout(plans.front())](RankId rank) { return layout.stage(rank); };
  rerunner.changeable = has_changeable_links(scenario);
  rerunner.processes = processor_count();
  if (rerunner.changeable && !base.cluster) base.cluster = read_cluster(base.platform);
  rerunner.possible = [base](const std::vector<WhatIf>& changes) {
    try {
      changed_scenario(base, changes);
    } catch (const UserError&) {
      return false;
    }
    return true;
  };
  rerunner.run = [base, plans](std::size_t plan, const std::vector<WhatIf>& changes, Extent extent) {
    const Scenario changed = changed_scenario(base, changes);
    const Platform platform = platform_of(changed);
    Rerun rerun{
        find_workload_builder(plans[plan].workload)->build(changed.job, plans[plan], platform.view, changed.network),
        platform.view,
        {},
        {}};
    rerun.links = ContestedLinks(platform, rerun.graph);
    if (extent == Extent::planned) return rerun;
    GraphWorkload workload(rerun.graph);
    rerun.timeline = simulate(platform, workload, changed.network);
    return rerun;
  };
  return rerunner;
}

}  // namespace longhaul
