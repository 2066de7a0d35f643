#include "analysis/critical_steps.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace longhaul {
namespace {

using NameOf = std::function<std::string(const Tasklet&)>;  // empty = not counted

std::vector<PathPart> parts_by(const NameOf& name_of, const std::vector<CriticalStep>& steps,
                               const TaskletGraph& graph) {
  std::map<std::string, PathPart> by_name;
  for (const CriticalStep& step : steps) {
    const std::string name = name_of(graph.tasklet(step.tasklet));
    if (name.empty()) continue;
    PathPart& part = by_name[name];
    part.name = name;
    part.hold += step.hold;
    part.lag += step.lag;
    ++part.steps;
    part.queued += step.queued ? 1 : 0;
  }
  std::vector<PathPart> parts;
  for (const auto& [name, part] : by_name)
    if (part.seconds() > Seconds()) parts.push_back(part);
  std::stable_sort(parts.begin(), parts.end(), [](const PathPart& a, const PathPart& b) {  // by name where equal
    return a.seconds() > b.seconds();
  });
  return parts;
}

}  // namespace

std::vector<CriticalStep> critical_steps(const RealisedGraph& graph, const std::vector<Duration>& durations,
                                         const Propagation& propagation) {
  std::vector<CriticalStep> steps;
  if (graph.size() == 0) return steps;
  TaskletId at = propagation.last;
  Wait left_by = Wait::result;
  while (true) {
    const Cause* cause = propagation.last_cause[at.value];
    const Duration& duration = durations[at.value];
    steps.push_back({at, cause != nullptr && cause->wait == Wait::stream, duration.hold,
                     left_by == Wait::result ? duration.lag : Seconds()});
    if (cause == nullptr) break;
    left_by = cause->wait;
    at = cause->tasklet;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

const char* phase_of(TaskletKind kind) {
  switch (kind) {
    case TaskletKind::forward:
      return "forward";
    case TaskletKind::backward:
      return "backward";
    case TaskletKind::weight_gradient:
      return "weight gradient";
    case TaskletKind::weight_update:
      return "weight update";
    case TaskletKind::activation_transfer:
      return "activation transfer";
    case TaskletKind::parameter_transfer:
      return "parameter gather";
    case TaskletKind::tensor_transfer:
      return "tensor exchange";
    case TaskletKind::expert_transfer:
      return "expert exchange";
    case TaskletKind::context_transfer:
      return "context exchange";
    case TaskletKind::barrier_message:
    case TaskletKind::barrier:
      return "barrier";
    case TaskletKind::reduction:
    case TaskletKind::gradient_transfer:
    case TaskletKind::gradient_exchange:
      break;
  }
  return "gradient sync";
}

std::string link_of(const Tasklet& transfer, const PlatformView& platform) {
  if (platform.same_machine(transfer.device, transfer.target)) return "inside_machines";
  return platform.device(transfer.device).region + "->" + platform.device(transfer.target).region;
}

Attribution attribute(const std::vector<CriticalStep>& steps, const TaskletGraph& graph,
                      const PlatformView& platform) {
  const auto link = [&](const Tasklet& task) { return is_transfer(task.kind) ? link_of(task, platform) : ""; };
  Attribution result;
  result.phases = parts_by([](const Tasklet& task) { return phase_of(task.kind); }, steps, graph);
  result.links = parts_by(link, steps, graph);
  result.devices =
      parts_by([&](const Tasklet& task) { return is_transfer(task.kind) ? "" : platform.device(task.device).name; },
               steps, graph);
  if (result.phases.empty()) return result;
  const std::vector<PathPart> within = parts_by(
      [&](const Tasklet& task) {
        return phase_of(task.kind) == result.phases.front().name ? link(task) : std::string();
      },
      steps, graph);
  if (within.empty()) return result;
  result.phase_link = within.front().name;
  result.phase_link_seconds = within.front().seconds();
  return result;
}

}  // namespace longhaul
