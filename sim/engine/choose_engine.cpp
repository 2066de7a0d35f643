#include <utility>

#include "sim/base/error.hpp"
#include "sim/description/shared_links.hpp"
#include "sim/engine/fast_evaluator.hpp"
#include "sim/engine/link_sharing.hpp"
#include "sim/engine/simulate.hpp"

namespace longhaul {
namespace {

// Why the fast evaluator does not apply at all; empty if it does.
std::string obstacle(const Platform& platform, const TaskletGraph& graph, const NetworkModel& network) {
  if (network.equations != NetworkEquations::raw)
    return std::string("the network model is ") + name_of(network.equations);
  if (const auto word = beyond_constant_links(platform.xml))
    return "the platform has more than constant links, it says '" + *word + "'";
  for (const Tasklet& task : graph.tasklets())
    if (is_transfer(task.kind) && task.device == task.target) return "a device sends to itself";
  return "";
}

std::string doubt_about(const FastEvaluator& evaluator, const Platform& platform, const TaskletGraph& graph,
                        const Timeline& timeline, const NetworkModel& network) {
  if (const auto congestion = find_congestion(platform, graph, timeline, network))
    return "links are shared: from " + std::to_string(congestion->begin.value) +
           " s on, transfers want more of link '" + congestion->link + "' than it has";
  if (const auto tie = evaluator.tie())
    return "chance decides who is first: " + graph.describe(tie->first) + " and " + graph.describe(tie->second) +
           " come to a stream at once";
  return "";
}

}  // namespace

Simulated simulate(const Platform& platform, const TaskletGraph& graph, const NetworkModel& network, Engine engine,
                   const std::function<void(double)>& progress) {
  Simulated result;
  if (engine != Engine::simgrid && graph.size() > 0) {
    result.doubt = obstacle(platform, graph, network);
    if (engine == Engine::fast && !result.doubt.empty())
      throw UserError({"--engine fast", 0, 0}, result.doubt,
                      "the fast evaluator knows raw equations and constant links", "--engine auto or simgrid");
    if (result.doubt.empty()) {
      FastEvaluator evaluator;
      evaluator.prepare(graph, platform.view, network);
      result.timeline.end = evaluator.run(result.timeline.spans);
      result.fast_end = result.timeline.end;
      result.engine = Engine::fast;
      result.doubt = doubt_about(evaluator, platform, graph, result.timeline, network);
    }
    if (engine == Engine::fast || (engine == Engine::automatic && result.fast_end && result.doubt.empty()))
      return result;
  }
  GraphWorkload workload(graph);
  result.timeline = simulate(platform, workload, network, progress);
  result.engine = Engine::simgrid;
  if (engine != Engine::both) result.fast_end.reset();
  return result;
}

}  // namespace longhaul
