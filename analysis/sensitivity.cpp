#include "analysis/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "analysis/changed_durations.hpp"
#include "analysis/replay.hpp"
#include "sim/base/error.hpp"
#include "sim/base/parallel.hpp"

namespace longhaul {
namespace {

constexpr double one_percent = 1.01;
// Relative. Gains below it are none: SimGrid lets transfers end together that end within 1e-10 s, which adds up on a path and
// grows where links are shared.
constexpr double resolution = 1e-7;
// Relative. So close to its run a replay through the network still tells gains better than durations that are scaled: it
// lost the order of two messages that came at almost the same moment.
constexpr double near = 1e-2;

// Which loads a tasklet adds to, as targets.
std::vector<Target> targets_of(const Tasklet& task, const PlatformView& platform) {
  if (!is_transfer(task.kind)) return {{TargetKind::device_type, platform.device(task.device).type}};
  if (platform.same_machine(task.device, task.target)) return {{TargetKind::link, link_of(task, platform)}};
  const std::string &from = platform.device(task.device).region, &to = platform.device(task.target).region;
  std::vector<Target> targets{{TargetKind::link, link_of(task, platform)}, {TargetKind::link_class, "nics"}};
  if (from == to) {
    targets.push_back({TargetKind::link_class, "inside_regions"});
  } else {
    targets.push_back({TargetKind::link_class, "between_regions"});
    targets.push_back({TargetKind::region, from + "->*"});
    targets.push_back({TargetKind::region, "*->" + to});
  }
  return targets;
}

// The end of the base's run with other durations, on the network of `changed`.
Seconds replayed(const ExplainedRun& base, const std::vector<Duration>& durations, const Rerun& changed,
                 const NetworkModel& network) {
  if (base.follows == Follows::orders) return propagate(base.realised, durations).end;
  const Transport transport(changed.platform, network);
  const SharedNetwork shared{transport, changed.platform, changed.links};
  return replay(base.run.graph, durations, base.realised.served(),
                base.follows == Follows::network ? &shared : nullptr);
}

Seconds saved(Seconds before, Seconds after) {
  const Seconds seconds = before - after;
  return std::abs(seconds.value) <= resolution * before.value ? Seconds() : seconds;
}

Seconds predicted_gain(const ExplainedRun& base, const Rerun& changed, const NetworkModel& network) {
  const std::vector<Duration> durations = changed_durations(base.run, changed, network);
  return saved(base.followed_end, replayed(base, durations, changed, network));
}

std::string bytes_of(const Gain& gain) {
  const double numbers[] = {gain.predicted.value, gain.simulated.value_or(Seconds()).value};
  std::string bytes(sizeof numbers, '\0');
  std::memcpy(bytes.data(), numbers, sizeof numbers);
  return bytes;
}

Gain gain_of(const std::string& bytes, Extent extent) {
  double numbers[2];
  require(bytes.size() == sizeof numbers, "a gain's bytes are too few");
  std::memcpy(numbers, bytes.data(), sizeof numbers);
  if (extent == Extent::planned) return {Seconds(numbers[0]), std::nullopt};
  return {Seconds(numbers[0]), Seconds(numbers[1])};
}

// One run of the many.
struct Question {
  std::size_t load;
  WhatIf change;
  Gain Sensitivity::*answer;
};

std::vector<Question> questions_about(const std::vector<Load>& loads) {
  std::vector<Question> questions;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const Target& target = loads[i].target;
    questions.push_back({i, target.faster(one_percent), &Sensitivity::percent});
    questions.push_back({i, target.faster(2), &Sensitivity::twice});
    if (target.kind != TargetKind::device_type && target.name != "nics")
      questions.push_back({i, {WhatIf::Of::delay, target.name, 0.5}, &Sensitivity::half_delay});
  }
  return questions;
}

}  // namespace

const char* name_of(TargetKind kind) {
  constexpr const char* names[] = {"link", "region", "link_class", "device_type"};
  return names[static_cast<std::size_t>(kind)];
}

WhatIf Target::faster(double factor) const {
  return {kind == TargetKind::device_type ? WhatIf::Of::compute : WhatIf::Of::bandwidth, name, factor};
}

ExplainedRun::ExplainedRun(Rerun simulated, const NetworkModel& network)
    : run(std::move(simulated)),
      realised(run.graph, run.timeline),
      durations(durations_of(run.timeline)),
      propagation(propagate(realised, durations)),
      steps(critical_steps(realised, durations, propagation)) {
  const auto comes_back = [&](Follows what, double within) {
    follows = what;
    followed_end = replayed(*this, durations, run, network);
    return std::abs((followed_end - propagation.end).value) <= within * propagation.end.value;
  };
  if (network.equations == NetworkEquations::raw && comes_back(Follows::network, near)) return;
  if (comes_back(Follows::durations, resolution)) return;
  follows = Follows::orders;
  followed_end = propagation.end;
}

std::vector<Load> loads_of(const ExplainedRun& base) {
  std::map<std::pair<TargetKind, std::string>, Load> loads;
  const TaskletGraph& graph = base.run.graph;
  for (const Tasklet& task : graph.tasklets()) {
    const bool carries = is_transfer(task.kind) && task.bytes > Bytes();
    const bool computes = !is_transfer(task.kind) && task.compute > Seconds();
    if (!carries && !computes) continue;
    for (const Target& target : targets_of(task, base.run.platform)) {
      Load& load = loads[{target.kind, target.name}];
      load.target = target;
      if (carries) load.bytes += task.bytes;
    }
  }
  for (const CriticalStep& step : base.steps)
    for (const Target& target : targets_of(graph.tasklet(step.tasklet), base.run.platform)) {
      const auto found = loads.find({target.kind, target.name});
      if (found != loads.end()) found->second.on_path += step.hold;
    }
  std::vector<Load> list;
  for (const auto& [key, load] : loads) list.push_back(load);
  return list;
}

std::vector<Gain> gains_of(const ExplainedRun& base, const std::vector<WhatIf>& changes,
                           const std::vector<WhatIf>& already, const Rerunner& rerunner, Extent extent) {
  const auto ask = [&](std::size_t index) {
    std::vector<WhatIf> all = already;
    all.push_back(changes[index]);
    const Rerun changed = rerunner.run(0, all, extent);
    Gain gain{predicted_gain(base, changed, rerunner.network), std::nullopt};
    if (extent == Extent::simulated) gain.simulated = saved(base.run.timeline.end, changed.timeline.end);
    return bytes_of(gain);
  };
  const auto show = [&](double share) {
    if (rerunner.progress) rerunner.progress("what would help", share);
  };
  std::vector<Gain> gains;
  for (const std::string& answer : parallel_map(changes.size(), rerunner.processes, ask, show))
    gains.push_back(gain_of(answer, extent));
  return gains;
}

std::vector<Sensitivity> sensitivities(const ExplainedRun& base, const std::vector<Load>& loads,
                                       const std::vector<WhatIf>& already, const Rerunner& rerunner) {
  const std::vector<Question> questions = questions_about(loads);
  std::vector<WhatIf> changes;
  for (const Question& question : questions) changes.push_back(question.change);
  const std::vector<Gain> gains = gains_of(base, changes, already, rerunner, Extent::simulated);
  std::vector<Sensitivity> result(loads.size());
  for (std::size_t i = 0; i < loads.size(); ++i) result[i].load = loads[i];
  for (std::size_t i = 0; i < questions.size(); ++i) result[questions[i].load].*questions[i].answer = gains[i];
  std::stable_sort(result.begin(), result.end(), [](const Sensitivity& a, const Sensitivity& b) {
    return *a.twice.simulated > *b.twice.simulated;
  });
  return result;
}

}  // namespace longhaul
