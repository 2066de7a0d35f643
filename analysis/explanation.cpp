#include "analysis/explanation.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace longhaul {
namespace {

constexpr std::size_t next_candidates = 8;  // that are simulated to find the next bottleneck

// The slack of the tasklets of one name; those without a name do not count.
std::vector<Slack> slack_by(const std::function<std::string(const Tasklet&)>& name_of, const ExplainedRun& base,
                            const std::vector<Seconds>& slack) {
  std::vector<Slack> list;
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < slack.size(); ++i) {
    const Tasklet& task = base.run.graph.tasklet(TaskletId(i));
    const std::string name = name_of(task);
    if (name.empty()) continue;
    const auto [place, is_new] = index.emplace(name, list.size());
    if (is_new) list.push_back({name, slack[i], {}, {}, 0});
    Slack& entry = list[place->second];
    entry.least = std::min(entry.least, slack[i]);
    entry.mean += slack[i] * base.durations[i].hold.value;
    entry.busy += base.durations[i].hold;
    ++entry.tasklets;
  }
  for (Slack& entry : list) entry.mean = entry.busy > Seconds() ? entry.mean / entry.busy.value : entry.least;
  return list;
}

void add_slack(const ExplainedRun& base, const Rerunner& rerunner, Explanation& result) {
  const std::vector<Seconds> slack = slack_of(base.realised, base.durations, base.propagation);
  const PlatformView& platform = base.run.platform;
  const auto computes = [](const Tasklet& task) { return !is_transfer(task.kind) && task.compute > Seconds(); };
  const auto device = [&](const Tasklet& task) {
    return computes(task) ? platform.device(task.device).name : std::string();
  };
  const auto stage = [&](const Tasklet& task) {
    return computes(task) ? std::to_string(rerunner.stage_of(task.rank).value) : std::string();
  };
  const auto link = [&](const Tasklet& task) {
    return is_transfer(task.kind) && task.bytes > Bytes() ? link_of(task, platform) : std::string();
  };
  result.device_slack = slack_by(device, base, slack);
  result.stage_slack = slack_by(stage, base, slack);
  result.link_slack = slack_by(link, base, slack);
  const auto by_name = [](const Slack& a, const Slack& b) { return a.name < b.name; };
  std::sort(result.link_slack.begin(), result.link_slack.end(), by_name);
}

// Links and device types: regions and classes are made of links.
bool is_elementary(const Target& target) {
  return target.kind == TargetKind::link || target.kind == TargetKind::device_type || target.name == "nics";
}

// Takes out and names those links that would be faster than links can be.
std::vector<std::string> skip_impossible(std::vector<Load>& loads, const std::vector<WhatIf>& already,
                                         const Rerunner& rerunner) {
  const auto impossible = std::stable_partition(loads.begin(), loads.end(), [&](const Load& load) {
    std::vector<WhatIf> all = already;
    all.push_back(load.target.faster(2));
    return rerunner.can(all);
  });
  std::vector<std::string> names;
  std::for_each(impossible, loads.end(), [&](const Load& load) { names.push_back(load.target.name); });
  loads.erase(impossible, loads.end());
  return names;
}

// Those elementary loads that promise most, by a prediction without simulation.
std::vector<Load> most_promising(const ExplainedRun& base, const std::vector<WhatIf>& already,
                                 const Rerunner& rerunner) {
  std::vector<Load> loads;
  std::vector<WhatIf> changes;
  std::vector<Load> all = loads_of(base);
  skip_impossible(all, already, rerunner);
  for (const Load& load : all) {
    if (!is_elementary(load.target)) continue;
    loads.push_back(load);
    changes.push_back(load.target.faster(2));
  }
  const std::vector<Gain> gains = gains_of(base, changes, already, rerunner, Extent::planned);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < loads.size(); ++i)
    if (gains[i].predicted > Seconds()) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gains[a].predicted > gains[b].predicted; });
  if (order.size() > next_candidates) order.resize(next_candidates);
  std::vector<Load> best;
  for (const std::size_t index : order) best.push_back(loads[index]);
  return best;
}

std::optional<NextBottleneck> next_bottleneck(const std::vector<Sensitivity>& all, const Rerunner& rerunner) {
  const auto first =
      std::find_if(all.begin(), all.end(), [](const Sensitivity& one) { return is_elementary(one.load.target); });
  if (first == all.end() || !(*first->twice.simulated > Seconds())) return std::nullopt;
  NextBottleneck next;
  next.fixed = first->load.target.faster(2);
  const ExplainedRun base(rerunner.run(0, {next.fixed}, Extent::simulated), rerunner.network);
  next.iteration = base.run.timeline.end;
  next.path = attribute(base.steps, base.run.graph, base.run.platform);
  next.sensitivities = sensitivities(base, most_promising(base, {next.fixed}, rerunner), {next.fixed}, rerunner);
  return next;
}

}  // namespace

Explanation explain(const Rerunner& rerunner) {
  Explanation result;
  const ExplainedRun base(rerunner.run(0, {}, Extent::simulated), rerunner.network);
  result.scheduler = rerunner.plans.front();
  result.iteration = base.run.timeline.end;
  result.steps = base.steps.size();
  result.queued = static_cast<std::size_t>(
      std::count_if(base.steps.begin(), base.steps.end(), [](const CriticalStep& step) { return step.queued; }));
  result.path = attribute(base.steps, base.run.graph, base.run.platform);
  add_slack(base, rerunner, result);
  result.changeable = rerunner.changeable;
  if (!rerunner.changeable) return result;
  std::vector<Load> loads = loads_of(base);
  const auto is_wide = [](const Load& load) { return load.target.name == "between_regions"; };
  const bool wide = std::any_of(loads.begin(), loads.end(), is_wide);
  result.skipped = skip_impossible(loads, {}, rerunner);
  result.sensitivities = sensitivities(base, loads, {}, rerunner);
  result.next = next_bottleneck(result.sensitivities, rerunner);
  if (rerunner.plans.size() < 2) return result;
  result.crossovers = find_crossovers(wide ? "between_regions" : "all", rerunner);
  result.plans = rerunner.plans;
  return result;
}

}  // namespace longhaul
