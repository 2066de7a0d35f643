#include "sim/workload/fixed_pipelines.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace longhaul {
namespace {

void check_pipeline(const PipelineSettings& settings, const Model& model) {
  const std::size_t layers = std::accumulate(settings.layers.begin(), settings.layers.end(), std::size_t{0});
  if (layers != static_cast<std::size_t>(model.layers))
    throw UserError(
        settings.where, fmt::format("plan.pipelines: layers [{}] do not add up", fmt::join(settings.layers, ", ")),
        fmt::format("the model has {} layers", model.layers), fmt::format("numbers with sum {}", model.layers));
  for (const std::size_t slices : settings.tensor)
    if (static_cast<std::size_t>(model.heads) % slices != 0)
      throw UserError(settings.where, fmt::format("plan.pipelines: {} slices of {} heads", slices, model.heads),
                      "tensor parallelism splits attention by heads", "a divisor of the number of heads");
}

// Whether replicas differ in more than their micro-batches.
bool stages_differ(const std::vector<PipelinePlan>& pipelines) {
  return std::any_of(pipelines.begin(), pipelines.end(), [&](const PipelinePlan& pipeline) {
    return pipeline.layers != pipelines.front().layers || pipeline.tensor != pipelines.front().tensor;
  });
}

void check_together(const Scenario& scenario, const std::vector<PipelinePlan>& pipelines) {
  const PlanSettings& plan = scenario.plan;
  const Location& where = plan.pipelines.front().where;
  if (plan.virtual_stages > 1)
    throw UserError(where, fmt::format("plan.pipelines beside virtual_stages: {}", plan.virtual_stages),
                    "chunks are known to replicas that are alike only", "virtual_stages: 1");
  if (scenario.job.gradient_bytes && stages_differ(pipelines))
    throw UserError(where, "plan.pipelines beside job.gradient_bytes",
                    "they are those of one stage, and stages differ",
                    "no gradient_bytes: they follow from the model");
  if (plan.zero < 2) return;
  const auto other = std::find_if(pipelines.begin(), pipelines.end(), [&](const PipelinePlan& pipeline) {
    return pipeline.micro_batches != pipelines.front().micro_batches || pipeline.tensor != pipelines.front().tensor;
  });
  if (other != pipelines.end())
    throw UserError(plan.zero_where,
                    fmt::format("plan.zero: {} beside pipelines that differ in more than the size "
                                "of their micro-batches",
                                plan.zero),
                    "every replica takes part in every gather and scatter", "as many micro-batches and slices each");
}

}  // namespace

std::vector<PipelinePlan> fixed_pipelines(const Scenario& scenario) {
  std::vector<PipelinePlan> pipelines;
  for (const PipelineSettings& settings : scenario.plan.pipelines) {
    check_pipeline(settings, scenario.job.model);
    const PipelinePlan pipeline{settings.layers,
                                settings.tensor,
                                settings.micro_batch.value_or(scenario.job.micro_batch),
                                settings.micro_batches.value_or(scenario.job.micro_batches),
                                settings.warm_up,
                                settings.device_type};
    if (pipelines.size() + settings.count > most_devices)
      throw UserError(settings.where, fmt::format("plan.pipelines: {} replicas and more", pipelines.size()),
                      fmt::format("a platform has at most {} devices", most_devices), "fewer replicas");
    pipelines.insert(pipelines.end(), settings.count, pipeline);
  }
  check_together(scenario, pipelines);
  return pipelines;
}

void check_device_types(const Scenario& scenario, const PlatformView& platform) {
  std::map<std::string, std::size_t> devices;
  for (const Device& device : platform.devices()) ++devices[device.type];
  std::map<std::string, std::size_t> ranks;
  for (const PipelineSettings& settings : scenario.plan.pipelines) {
    if (settings.device_type.empty()) continue;
    std::size_t& pinned = ranks[settings.device_type];
    pinned += settings.count * std::accumulate(settings.tensor.begin(), settings.tensor.end(), std::size_t{0});
    const std::size_t there = devices.count(settings.device_type) > 0 ? devices.at(settings.device_type) : 0;
    if (pinned <= there) continue;
    std::vector<std::string> known;
    for (const auto& [type, count] : devices) known.push_back(fmt::format("{} x {}", count, type));
    throw UserError(
        settings.where,
        fmt::format("plan.pipelines: {} ranks on {}, of which there are {}", pinned, settings.device_type, there),
        "a rank has a device of its own", fmt::format("what the platform has: {}", fmt::join(known, ", ")));
  }
}

}  // namespace longhaul
