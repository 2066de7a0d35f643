#include <nlohmann/json.hpp>

#include "analysis/explanation_report.hpp"

namespace longhaul {
namespace {

using Json = nlohmann::ordered_json;

Json array_of(const std::vector<PathPart>& parts, Seconds whole) {
  Json array = Json::array();
  for (const PathPart& part : parts)
    array.push_back({
        {"name", part.name},
        {"seconds", part.seconds().value},
        {"share", part.seconds() / whole},
        {"delay_seconds", part.lag.value},
        {"tasklets", part.steps},
        {"queued", part.queued},
    });
  return array;
}

Json object_of(const Attribution& path, Seconds whole) {
  return {
      {"phases", array_of(path.phases, whole)},
      {"links", array_of(path.links, whole)},
      {"devices", array_of(path.devices, whole)},
  };
}

Json array_of(const std::vector<Slack>& slacks) {
  Json array = Json::array();
  for (const Slack& slack : slacks)
    array.push_back({
        {"name", slack.name},
        {"least_seconds", slack.least.value},
        {"mean_seconds", slack.mean.value},
        {"busy_seconds", slack.busy.value},
        {"tasklets", slack.tasklets},
    });
  return array;
}

Json object_of(const Gain& gain) {
  return {{"predicted", gain.predicted.value}, {"simulated", gain.simulated ? Json(gain.simulated->value) : Json()}};
}

Json array_of(const std::vector<Sensitivity>& sensitivities) {
  Json array = Json::array();
  for (const Sensitivity& one : sensitivities)
    array.push_back({
        {"kind", name_of(one.load.target.kind)},
        {"name", one.load.target.name},
        {"bytes", one.load.bytes.value},
        {"path_seconds", one.load.on_path.value},
        {"one_percent_gain_seconds", object_of(one.percent)},
        {"twice_gain_seconds", object_of(one.twice)},
        {"half_delay_gain_seconds", object_of(one.half_delay)},
    });
  return array;
}

Json object_of(const NextBottleneck& next) {
  return {
      {"fixed", next.fixed.target},
      {"factor", next.fixed.factor},
      {"iteration_seconds", next.iteration.value},
      {"critical_path", object_of(next.path, next.iteration)},
      {"sensitivities", array_of(next.sensitivities)},
  };
}

Json object_of(const Crossovers& crossovers, const std::vector<std::string>& plans) {
  Json grid = Json::array();
  for (const PlansAt& point : crossovers.grid) {
    Json iterations = Json::array();
    for (const Seconds seconds : point.iteration) iterations.push_back(seconds.value);
    grid.push_back({{"factor", point.factor}, {"best", plans[point.best]}, {"iteration_seconds", iterations}});
  }
  Json found = Json::array();
  for (const Crossover& one : crossovers.found)
    found.push_back({{"factor", one.factor}, {"below", plans[one.below]}, {"above", plans[one.above]}});
  return {{"links", crossovers.links}, {"schedulers", plans}, {"grid", grid}, {"crossovers", found}};
}

}  // namespace

std::string json_of(const Explanation& explanation, const std::string& scenario) {
  Json json{
      {"scenario", scenario},
      {"scheduler", explanation.scheduler},
      {"iteration_seconds", explanation.iteration.value},
      {"critical_path", object_of(explanation.path, explanation.iteration)},
      {"slack",
       {{"devices", array_of(explanation.device_slack)},
        {"stages", array_of(explanation.stage_slack)},
        {"links", array_of(explanation.link_slack)}}},
      {"changeable", explanation.changeable},
      {"sensitivities", array_of(explanation.sensitivities)},
      {"skipped", explanation.skipped},
      {"next_bottleneck", explanation.next ? object_of(*explanation.next) : Json()},
      {"best_plans", explanation.crossovers ? object_of(*explanation.crossovers, explanation.plans) : Json()},
  };
  json["critical_path"]["tasklets"] = explanation.steps;
  json["critical_path"]["queued"] = explanation.queued;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace longhaul
