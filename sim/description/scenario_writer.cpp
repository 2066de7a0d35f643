#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include "sim/description/quantity.hpp"
#include "sim/description/reach.hpp"
#include "sim/description/scenario.hpp"

namespace longhaul {
namespace {

// Base units with all digits: what is written is exactly what was read.
std::string seconds(Seconds value) { return shortest(value.value) + " s"; }
std::string bytes(Bytes value) { return shortest(value.value) + " B"; }

void write_model(YAML::Emitter& out, const Model& model) {
  static const char* const heads[] = {"none", "classifier", "language_model"};
  out << YAML::BeginMap;
  out << YAML::Key << "name" << YAML::Value << model.name;
  out << YAML::Key << "source" << YAML::Value << YAML::DoubleQuoted << model.source;
  out << YAML::Key << "hidden" << YAML::Value << model.hidden;
  out << YAML::Key << "heads" << YAML::Value << model.heads;
  out << YAML::Key << "key_value_heads" << YAML::Value << model.key_value_heads;
  out << YAML::Key << "feed_forward" << YAML::Value << model.feed_forward;
  out << YAML::Key << "gated" << YAML::Value << model.gated;
  if (model.experts > 1) {
    out << YAML::Key << "experts" << YAML::Value << model.experts;
    out << YAML::Key << "experts_per_token" << YAML::Value << model.experts_per_token;
  }
  out << YAML::Key << "biases" << YAML::Value << model.biases;
  out << YAML::Key << "layers" << YAML::Value << model.layers;
  out << YAML::Key << "sequence" << YAML::Value << model.sequence;
  out << YAML::Key << "vocabulary" << YAML::Value << model.vocabulary;
  out << YAML::Key << "positions" << YAML::Value << model.positions;
  out << YAML::Key << "head" << YAML::Value << heads[static_cast<int>(model.head)];
  if (model.head == Head::classifier) out << YAML::Key << "classes" << YAML::Value << model.classes;
  out << YAML::EndMap;
}

void write_network(YAML::Emitter& out, const NetworkModel& network) {
  out << YAML::BeginMap;
  out << YAML::Key << "profile" << YAML::Value << network.profile;
  out << YAML::Key << "model" << YAML::Value << name_of(network.equations);
  out << YAML::Key << "efficiency" << YAML::Value << shortest(network.efficiency);
  out << YAML::Key << "collective_efficiency" << YAML::Value << shortest(network.collective_efficiency);
  out << YAML::Key << "exchange_efficiency" << YAML::Value << shortest(network.exchange_efficiency);
  out << YAML::Key << "message_cost" << YAML::Value << seconds(network.message_cost);
  out << YAML::Key << "chunk" << YAML::Value << bytes(network.chunk);
  out << YAML::Key << "barrier_latency_factor" << YAML::Value << shortest(network.barrier_latency_factor);
  out << YAML::Key << "store_and_forward" << YAML::Value << shortest(network.store_and_forward);
  if (network.ring_chunk) out << YAML::Key << "ring_chunk" << YAML::Value << bytes(*network.ring_chunk);
  out << YAML::Key << "tcp_streams" << YAML::Value << network.tcp_streams;
  if (network.tensor_sums) out << YAML::Key << "tensor_sums" << YAML::Value << network.tensor_sums->name;
  if (network.overlap_cost > 0) out << YAML::Key << "overlap_cost" << YAML::Value << shortest(network.overlap_cost);
  if (network.ring_steps == RingSteps::together) out << YAML::Key << "ring_steps" << YAML::Value << "together";
  if (network.tcp_window) out << YAML::Key << "tcp_window" << YAML::Value << bytes(*network.tcp_window);
  out << YAML::EndMap;
}

const char* name_of(Recompute recompute) {
  if (recompute == Recompute::selective) return "selective";
  return recompute == Recompute::full ? "full" : "none";
}

void write_kernels(YAML::Emitter& out, const KernelModel& kernels) {
  out << YAML::Key << "kernels" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "multiply_efficiency" << YAML::Value << shortest(kernels.multiply_efficiency);
  out << YAML::Key << "half_work" << YAML::Value << shortest(kernels.half_work.value / 1e9) + " GFLOP";
  out << YAML::Key << "memory_efficiency" << YAML::Value << shortest(kernels.memory_efficiency);
  out << YAML::Key << "host" << YAML::Value << seconds(kernels.host);
  out << YAML::Key << "host_per_sum" << YAML::Value << seconds(kernels.host_per_sum);
  out << YAML::EndMap;
}

void write_job(YAML::Emitter& out, const Job& job) {
  out << YAML::BeginMap << YAML::Key << "model" << YAML::Value;
  write_model(out, job.model);
  out << YAML::Key << "precision" << YAML::Value << job.precision;
  out << YAML::Key << "recompute" << YAML::Value << name_of(job.recompute);
  out << YAML::Key << "kept_per_layer" << YAML::Value << job.kept_per_layer;
  out << YAML::Key << "optimizer_offload" << YAML::Value << job.optimizer_offload;
  out << YAML::Key << "micro_batch" << YAML::Value << job.micro_batch;
  if (job.activation_offload) out << YAML::Key << "activation_offload" << YAML::Value << true;
  if (job.host_links) out << YAML::Key << "offload_bandwidth" << YAML::Value << "host_link";
  if (job.offload_bandwidth)
    out << YAML::Key << "offload_bandwidth" << YAML::Value << shortest(job.offload_bandwidth->value) + " B/s";
  if (job.live_parameters) out << YAML::Key << "live_parameters" << YAML::Value << shortest(*job.live_parameters);
  if (job.runtime_memory > Bytes()) out << YAML::Key << "runtime_memory" << YAML::Value << bytes(job.runtime_memory);
  out << YAML::Key << "micro_batches" << YAML::Value << job.micro_batches;
  if (job.global_batch) out << YAML::Key << "global_batch" << YAML::Value << *job.global_batch;
  out << YAML::Key << "iterations" << YAML::Value << job.iterations;
  if (job.activation_bytes) out << YAML::Key << "activation_bytes" << YAML::Value << bytes(*job.activation_bytes);
  if (job.gradient_bytes) out << YAML::Key << "gradient_bytes" << YAML::Value << bytes(*job.gradient_bytes);
  const ComputeModel& compute = job.compute;
  out << YAML::Key << "compute" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "overhead" << YAML::Value << seconds(compute.overhead);
  if (!compute.efficiency_by_type.empty()) {
    out << YAML::Key << "efficiency" << YAML::Value << YAML::BeginMap;
    for (const auto& [type, share] : compute.efficiency_by_type)
      out << YAML::Key << type << YAML::Value << shortest(share);
    out << YAML::EndMap;
  } else if (!compute.forward && !compute.profile && !compute.kernels) {
    out << YAML::Key << "efficiency" << YAML::Value << shortest(compute.efficiency);
  }
  if (!compute.speed_factor_by_type.empty()) {
    out << YAML::Key << "speed_factor" << YAML::Value << YAML::BeginMap;
    for (const auto& [type, factor] : compute.speed_factor_by_type)
      out << YAML::Key << type << YAML::Value << shortest(factor);
    out << YAML::EndMap;
  } else if (compute.speed_factor != 1) {
    out << YAML::Key << "speed_factor" << YAML::Value << shortest(compute.speed_factor);
  }
  if (compute.half_work > Flops())
    out << YAML::Key << "half_work" << YAML::Value << shortest(compute.half_work.value / 1e9) + " GFLOP";
  if (compute.kernels) write_kernels(out, *compute.kernels);
  if (compute.profile) out << YAML::Key << "profile" << YAML::Value << compute.profile->name;
  if (compute.forward) out << YAML::Key << "forward" << YAML::Value << seconds(*compute.forward);
  if (compute.backward) out << YAML::Key << "backward" << YAML::Value << seconds(*compute.backward);
  if (compute.weight_update) out << YAML::Key << "weight_update" << YAML::Value << seconds(*compute.weight_update);
  if (compute.weight_update_rate)
    out << YAML::Key << "weight_update_rate" << YAML::Value << shortest(compute.weight_update_rate->value) + " B/s";
  out << YAML::EndMap << YAML::EndMap;
}

void write_by_reach(YAML::Emitter& out, const CompressionSetting& setting) {
  const auto& texts = setting.texts;
  if (texts[0] == texts[1] && texts[1] == texts[2]) {
    out << texts[0];
    return;
  }
  out << YAML::Flow << YAML::BeginMap;
  for (std::size_t i = 0; i < texts.size(); ++i) out << YAML::Key << reach_names[i] << YAML::Value << texts[i];
  out << YAML::EndMap;
}

void write_pipelines(YAML::Emitter& out, const std::vector<PipelineSettings>& pipelines) {
  out << YAML::Key << "pipelines" << YAML::Value << YAML::BeginSeq;
  for (const PipelineSettings& pipeline : pipelines) {
    out << YAML::BeginMap;
    out << YAML::Key << "layers" << YAML::Value << YAML::Flow << pipeline.layers;
    out << YAML::Key << "tensor" << YAML::Value << YAML::Flow << pipeline.tensor;
    if (pipeline.micro_batch) out << YAML::Key << "micro_batch" << YAML::Value << *pipeline.micro_batch;
    if (pipeline.micro_batches) out << YAML::Key << "micro_batches" << YAML::Value << *pipeline.micro_batches;
    if (!pipeline.warm_up.empty()) out << YAML::Key << "warm_up" << YAML::Value << YAML::Flow << pipeline.warm_up;
    if (!pipeline.device_type.empty()) out << YAML::Key << "device_type" << YAML::Value << pipeline.device_type;
    out << YAML::Key << "count" << YAML::Value << pipeline.count << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

void write_plan(YAML::Emitter& out, const PlanSettings& plan) {
  out << YAML::BeginMap;
  out << YAML::Key << "workload" << YAML::Value << plan.workload;
  if (plan.pipelines.empty()) {
    out << YAML::Key << "pipeline" << YAML::Value << plan.pipeline;
    out << YAML::Key << "data" << YAML::Value << plan.data;
    out << YAML::Key << "tensor" << YAML::Value << plan.tensor;
    if (plan.context > 1) out << YAML::Key << "context" << YAML::Value << plan.context;
  } else {
    write_pipelines(out, plan.pipelines);
  }
  if (plan.layers_per_stage)
    out << YAML::Key << "layers_per_stage" << YAML::Value << YAML::Flow << *plan.layers_per_stage;
  out << YAML::Key << "balance" << YAML::Value << YAML::Flow << YAML::BeginSeq;
  if (plan.balance.layers) out << "layers";
  if (plan.balance.micro_batches) out << "micro_batches";
  out << YAML::EndSeq;
  out << YAML::Key << "schedule" << YAML::Value << plan.schedule;
  if (!plan.warm_up.empty()) out << YAML::Key << "warm_up" << YAML::Value << YAML::Flow << plan.warm_up;
  out << YAML::Key << "virtual_stages" << YAML::Value << plan.virtual_stages;
  out << YAML::Key << "gradient_sync" << YAML::Value << plan.gradient_sync;
  out << YAML::Key << "zero" << YAML::Value << plan.zero;
  if (plan.expert > 1) out << YAML::Key << "expert" << YAML::Value << plan.expert;
  if (!plan.shards.empty()) {
    out << YAML::Key << "shards" << YAML::Value << YAML::Flow << YAML::BeginSeq;
    for (const double share : plan.shards) out << shortest(share);
    out << YAML::EndSeq;
  }
  out << YAML::Key << "sync_groups" << YAML::Value << plan.sync_groups;
  out << YAML::Key << "ring_order" << YAML::Value << (plan.ring_order == RingOrder::nearest ? "nearest" : "plan");
  out << YAML::Key << "phase_barrier" << YAML::Value << plan.phase_barrier;
  out << YAML::Key << "synchronous_transfers" << YAML::Value << plan.synchronous_transfers;
  if (plan.sequence_parallel) out << YAML::Key << "sequence_parallel" << YAML::Value << true;
  out << YAML::Key << "compression" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "activations" << YAML::Value;
  write_by_reach(out, plan.activation_compression);
  out << YAML::Key << "gradients" << YAML::Value;
  write_by_reach(out, plan.gradient_compression);
  if (plan.compression_rate)
    out << YAML::Key << "rate" << YAML::Value << shortest(plan.compression_rate->value) + " B/s";
  out << YAML::EndMap;
  out << YAML::Key << "check_memory" << YAML::Value << plan.check_memory;
  out << YAML::EndMap;
}

void write_ranks(YAML::Emitter& out, const std::vector<RankId>& ranks) {
  out << YAML::Flow << YAML::BeginSeq;
  for (const RankId rank : ranks) out << rank.value;
  out << YAML::EndSeq;
}

void write_keep(YAML::Emitter& out, const Keep& keep) {
  out << YAML::Key << "keep" << YAML::Value << YAML::Flow << YAML::BeginSeq;
  if (keep.degrees) out << "degrees";
  if (keep.micro_batch) out << "micro_batch";
  if (keep.runtime) out << "runtime";
  if (keep.sync) out << "sync";
  if (keep.placement) out << "placement";
  out << YAML::EndSeq;
}

void write_scheduler(YAML::Emitter& out, const SchedulerSettings& settings) {
  out << YAML::BeginMap;
  out << YAML::Key << "name" << YAML::Value << settings.name;
  out << YAML::Key << "seed" << YAML::Value << settings.seed;
  out << YAML::Key << "population" << YAML::Value << settings.search.population;
  out << YAML::Key << "trials" << YAML::Value << settings.search.trials;
  out << YAML::Key << "swap_interval" << YAML::Value << settings.search.swap_interval;
  out << YAML::Key << "annealing_interval" << YAML::Value << settings.search.annealing_interval;
  out << YAML::Key << "annealing_steps" << YAML::Value << settings.search.annealing_steps;
  out << YAML::Key << "annealing_heat" << YAML::Value << shortest(settings.search.annealing_heat);
  out << YAML::Key << "simulations" << YAML::Value << settings.search.simulations;
  if (settings.search.time_budget)
    out << YAML::Key << "time_budget" << YAML::Value << seconds(*settings.search.time_budget);
  write_keep(out, settings.search.keep);
  if (settings.gradient_bytes) out << YAML::Key << "gradient_bytes" << YAML::Value << bytes(*settings.gradient_bytes);
  if (settings.activation_bytes)
    out << YAML::Key << "activation_bytes" << YAML::Value << bytes(*settings.activation_bytes);
  if (!settings.rank_map.empty()) {
    out << YAML::Key << "rank_map" << YAML::Value;
    write_ranks(out, settings.rank_map);
    out << YAML::Key << "rank_order" << YAML::Value << (settings.megatron_order ? "megatron" : "pipeline_first");
  }
  out << YAML::EndMap;
}

void write_recorded(YAML::Emitter& out, const RecordedTiming& timing) {
  out << YAML::BeginMap;
  out << YAML::Key << "layers" << YAML::Value << timing.layers;
  out << YAML::Key << "global_batch" << YAML::Value << timing.global_batch;
  if (!timing.schedulers.empty()) out << YAML::Key << "schedulers" << YAML::Value << YAML::Flow << timing.schedulers;
  if (!timing.rank_map.empty()) {
    out << YAML::Key << "rank_map" << YAML::Value;
    write_ranks(out, timing.rank_map);
  }
  out << YAML::Key << "time" << YAML::Value << seconds(timing.seconds);
  out << YAML::Key << "source" << YAML::Value << YAML::DoubleQuoted << timing.source;
  out << YAML::EndMap;
}

}  // namespace

std::string resolved_yaml(const Scenario& scenario, const std::string& platform) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "name" << YAML::Value << scenario.name;
  out << YAML::Key << "description" << YAML::Value << YAML::DoubleQuoted << scenario.description;
  out << YAML::Key << "platform" << YAML::Value << YAML::DoubleQuoted << platform;
  out << YAML::Key << "network" << YAML::Value;
  write_network(out, scenario.network);
  out << YAML::Key << "job" << YAML::Value;
  write_job(out, scenario.job);
  out << YAML::Key << "plan" << YAML::Value;
  write_plan(out, scenario.plan);
  out << YAML::Key << "scheduler" << YAML::Value;
  write_scheduler(out, scenario.scheduler);
  if (!scenario.recorded.empty()) {
    out << YAML::Key << "recorded" << YAML::Value << YAML::BeginSeq;
    for (const RecordedTiming& timing : scenario.recorded) write_recorded(out, timing);
    out << YAML::EndSeq;
  }
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace longhaul
