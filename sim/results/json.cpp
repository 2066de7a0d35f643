#include "sim/results/json.hpp"

#include <nlohmann/json.hpp>

namespace longhaul {
namespace {

using Json = nlohmann::ordered_json;

Json part(Seconds seconds, Seconds whole) {
  return {{"seconds", seconds.value}, {"share", whole.value > 0 ? seconds / whole : 0}};
}

Json object_of(const PathCompression& compression) {
  if (compression.is_uniform()) return text_of(compression.over(Reach::inside_machine));
  Json json;
  for (std::size_t i = 0; i < reach_names.size(); ++i)
    json[reach_names[i]] = text_of(compression.over(static_cast<Reach>(i)));
  return json;
}

Json object_of(const Plan& plan) {
  Json ranks = Json::array();
  for (const RankId rank : plan.rank_of_device) ranks.push_back(rank.value);
  Json orders = Json::array();
  for (const std::vector<Replica>& order : plan.ring_orders) {
    orders.push_back(Json::array());
    for (const Replica replica : order) orders.back().push_back(replica.value);
  }
  Json pipelines = Json::array();
  for (const PipelinePlan& pipeline : plan.pipelines)
    pipelines.push_back({{"layers", pipeline.layers},
                         {"tensor", pipeline.tensor},
                         {"micro_batch_size", pipeline.micro_batch_size},
                         {"micro_batches", pipeline.micro_batches},
                         {"warm_up", pipeline.warm_up},
                         {"device_type", pipeline.device_type}});
  Json json{
      {"workload", plan.workload},
      {"pipeline", plan.degrees.pipeline},
      {"data", plan.degrees.data},
      {"tensor", plan.degrees.tensor},
      {"layers_per_stage", plan.layers_per_stage},
      {"micro_batch_size", plan.micro_batch_size},
      {"micro_batches", plan.micro_batches},
      {"pipelines", pipelines},
      {"passes", plan.passes},
      {"schedule", plan.schedule},
      {"virtual_stages", plan.virtual_stages},
      {"phase_barrier", plan.phase_barrier},
      {"synchronous_transfers", plan.synchronous_transfers},
      {"gradient_sync", plan.gradient_sync},
      {"zero", plan.zero},
      {"shards", plan.shards},
      {"sync_groups", plan.sync_groups},
      {"ring_orders", orders},
      {"compression",
       {{"activations", object_of(plan.activation_compression)},
        {"gradients", object_of(plan.gradient_compression)},
        {"rate", plan.compression_rate ? Json(plan.compression_rate->value) : Json()}}},
      {"rank_of_device", ranks},
  };
  if (plan.degrees.context > 1) json["context"] = plan.degrees.context;
  if (plan.expert > 1) json["expert"] = plan.expert;
  if (!plan.warm_up.empty()) json["warm_up"] = plan.warm_up;
  if (plan.sequence_parallel) json["sequence_parallel"] = true;
  return json;
}

// What is not known of a device is null.
Json object_of(const std::vector<StageMemory>& stages) {
  Json array = Json::array();
  for (const StageMemory& stage : stages) {
    array.push_back({{"stage", stage.stage.value},
                     {"replica", stage.replica ? Json(stage.replica->value) : Json()},
                     {"total_bytes", stage.total().value},
                     {"device_bytes", stage.device > Bytes() ? Json(stage.device.value) : Json()},
                     {"fits", stage.fits()},
                     {"in_flight", stage.in_flight},
                     {"parameters", stage.parameters.value},
                     {"gradients", stage.gradients.value},
                     {"optimizer", stage.optimizer.value},
                     {"activations", stage.activations.value},
                     {"messages", stage.messages.value},
                     {"working_set", stage.working_set.value},
                     {"logits", stage.logits.value},
                     {"fragmentation", stage.fragmentation.value}});
    if (stage.runtime > Bytes()) array.back()["runtime"] = stage.runtime.value;
  }
  return array;
}

void add_metrics(Json& json, const Metrics& metrics) {
  json["iteration_seconds"] = metrics.iteration.value;
  json["pflops"] = metrics.throughput.value / 1e15;
  json["samples"] = metrics.samples;
  json["samples_per_second"] = metrics.samples_per_second;
  json["tasklets"] = metrics.tasklets;
}

Json object_of(const Breakdown& parts, Seconds whole) {
  return {
      {"compute", part(parts.compute, whole)},
      {"pipeline_bubble", part(parts.pipeline_bubble, whole)},
      {"exposed_activation_transfer", part(parts.exposed_activation_transfer, whole)},
      {"exposed_gradient_sync", part(parts.exposed_gradient_sync, whole)},
      {"barriers", part(parts.barriers, whole)},
  };
}

Json object_of(const RunRecord& record, Timing timing) {
  Json json{{"scenario", record.scenario}, {"scheduler", record.scheduler}, {"seed", record.seed}};
  if (record.metrics) {
    add_metrics(json, *record.metrics);
    if (record.iterations)
      json["iterations"] = {{"count", record.iterations->count}, {"mean_seconds", record.iterations->mean.value}};
    json["engine"] = record.engine;
    if (record.fast_iteration)
      json["fast"] = {{"iteration_seconds", record.fast_iteration->value},
                      {"difference", *record.fast_iteration / record.metrics->iteration - 1},
                      {"doubt", record.doubt}};
  }
  json["cost_model"] = nullptr;
  if (record.cost)
    json["cost_model"] = {
        {"data_parallel_seconds", record.cost->data_parallel.value},
        {"pipeline_seconds", record.cost->pipeline.value},
        {"total_seconds", record.cost->total().value},
    };
  json["search"] = {{"evaluations", record.evaluations}, {"best_evaluation", record.best_evaluation}};
  if (!record.stage_order.empty()) json["search"]["stage_order"] = record.stage_order;
  if (!record.reason.empty()) json["reason"] = record.reason;
  if (record.metrics) json["breakdown"] = object_of(record.metrics->breakdown, record.metrics->iteration);
  if (record.metrics && record.recorded)
    json["recorded"] = {{"seconds", record.recorded->value},
                        {"error", record.metrics->iteration / *record.recorded - 1},
                        {"source", record.recorded_source}};
  if (!record.collectives.empty()) json["collectives"] = record.collectives;
  if (!record.memory.empty()) json["memory"] = object_of(record.memory);
  for (const ComputeOrigin& computing : record.computing)
    json["computing"].push_back({{"device_type", computing.device_type}, {"origin", computing.origin}});
  json["plan"] = object_of(record.plan);
  if (timing == Timing::shown) {
    json["timing"] = {{"planning_seconds", record.planning_time.value}};
    if (record.metrics) json["timing"]["simulation_seconds"] = record.simulation_time.value;
  }
  return json;
}

// Names come from the user's files: what an XML entity made of a byte must not end the program.
std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string json_of(const RunRecord& record, Timing timing) { return text_of(object_of(record, timing)); }

std::string json_of(const std::vector<RunRecord>& records, Timing timing) {
  Json array = Json::array();
  for (const RunRecord& record : records) array.push_back(object_of(record, timing));
  return text_of(array);
}

std::string json_of(const Plan& plan) { return text_of(object_of(plan)); }

}  // namespace longhaul
