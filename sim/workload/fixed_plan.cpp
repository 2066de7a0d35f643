#include "sim/workload/fixed_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/workload/collective.hpp"
#include "sim/workload/fixed_pipelines.hpp"
#include "sim/workload/schedule_check.hpp"
#include "sim/workload/sync_team.hpp"
#include "sim/workload/whole_ring.hpp"
#include "sim/workload/workload_builder.hpp"

namespace longhaul {
namespace {

constexpr double most_tasklets = 20e6;  // what 6 GB of memory hold

template <class Entry>
std::string names_in(const std::vector<Entry>& table) {
  std::vector<std::string> names;
  for (const Entry& entry : table) names.emplace_back(entry.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_names(const PlanSettings& settings, const Culprits& culprits) {
  const WorkloadBuilder* workload = find_workload_builder(settings.workload);
  if (workload == nullptr)
    throw UserError(culprits.workload, fmt::format("plan.workload: '{}' is not known", settings.workload), "",
                    names_in(workload_builders()));
  if (!workload->trains &&
      (settings.pipeline * settings.tensor * settings.context != 1 || !settings.pipelines.empty()))
    throw UserError(culprits.workload, fmt::format("plan.workload: '{}' beside stages or slices", settings.workload),
                    "it runs over replicas", "pipeline: 1 and tensor: 1");
  if (find_pipeline_schedule(settings.schedule) == nullptr)
    throw UserError(settings.schedule_where, fmt::format("plan.schedule: '{}' is not known", settings.schedule), "",
                    names_in(pipeline_schedules()));
  const Collective* collective = find_collective(settings.gradient_sync);
  if (collective != nullptr && workload->trains && !collective->synchronises)
    throw UserError(settings.gradient_sync_where, fmt::format("plan.gradient_sync: '{}'", settings.gradient_sync),
                    "it leaves replicas without the sum", "a collective that is no building block");
  if (collective == nullptr)
    throw UserError(settings.gradient_sync_where,
                    fmt::format("plan.gradient_sync: '{}' is not known", settings.gradient_sync), "",
                    names_in(collectives()));
}

std::vector<std::size_t> layers_of(const PlanSettings& settings, std::size_t layers, const Location& where) {
  if (!settings.layers_per_stage) {
    if (layers < settings.pipeline)
      throw UserError(where, fmt::format("plan: {} layers for {} stages", layers, settings.pipeline),
                      "every stage needs a layer", fmt::format("pipeline from 1 to {}", layers));
    return even_layers(layers, settings.pipeline);
  }
  const std::vector<std::size_t>& given = *settings.layers_per_stage;
  if (given.size() != settings.pipeline)
    throw UserError(
        where, fmt::format("plan.layers_per_stage has {} entries for {} stages", given.size(), settings.pipeline), "",
        "one number per stage");
  if (std::accumulate(given.begin(), given.end(), std::size_t{0}) != layers)
    throw UserError(where, fmt::format("plan.layers_per_stage [{}] does not add up", fmt::join(given, ", ")),
                    fmt::format("the model has {} layers", layers), fmt::format("numbers with sum {}", layers));
  return given;
}

std::size_t sync_groups_within(const Plan& plan, const Scenario& scenario) {
  std::size_t most = *std::max_element(plan.layers_per_stage.begin(), plan.layers_per_stage.end());
  for (const PipelinePlan& pipeline : plan.pipelines)
    most = std::max(most, *std::max_element(pipeline.layers.begin(), pipeline.layers.end()));
  const std::size_t groups = scenario.plan.sync_groups;
  if (groups > most)
    throw UserError(scenario.culprits.groups, fmt::format("plan.sync_groups: {} groups", groups),
                    fmt::format("no stage has more than {} layers", most), fmt::format("from 1 to {}", most));
  return groups;
}

PathCompression compression_of(const CompressionSetting& setting, const std::string& key) {
  std::array<Compression, 3> by_reach;
  for (std::size_t i = 0; i < by_reach.size(); ++i)
    by_reach[i] = parse_compression(setting.texts[i], key, setting.where[i]);
  return PathCompression(by_reach);
}

// `plan` is complete but for its passes.
std::size_t passes_of(const Job& job, const Plan& plan, const Location& where) {
  if (!job.global_batch) return 1;
  const auto pass = static_cast<double>(samples_per_iteration(plan));
  if (static_cast<double>(*job.global_batch) < pass)
    throw UserError(where, fmt::format("job.global_batch: {} sequences are less than one pass", *job.global_batch),
                    plan.pipelines.empty() ? fmt::format("{} replicas x {} micro-batches x {} sequences = {}",
                                                         plan.degrees.data, job.micro_batches, job.micro_batch, pass)
                                           : fmt::format("a pass of all replicas has {}", pass),
                    "a larger global_batch, fewer micro_batches or fewer replicas");
  return static_cast<std::size_t>(static_cast<double>(*job.global_batch) / pass);
}

// Of a call whose members have no place yet: all in one region, or all but one, so that regions differ in size.
double most_tasklets_of(const std::string& collective, CollectiveCall call) {
  const double together = tasklets_in(collective, call);
  call.regions.assign(call.ranks.size(), 0);
  call.regions.back() = 1;
  return std::max(together, tasklets_in(collective, call));
}

// Of a team's calls, each of which carries its part of the gradients.
double sync_tasklets_of(const Plan& plan, const Scenario& scenario) {
  if (plan.degrees.copies() == 1) return 0;
  CollectiveCall call;
  call.chunk = scenario.network.chunk;
  call.ring_chunk = scenario.network.ring_chunk;
  call.network = &scenario.network;
  const double micro_batches = static_cast<double>(plan.micro_batches * plan.passes);
  double tasklets = 0;
  for (const SyncTeam& team : sync_teams(scenario.job, plan, RankLayout(plan)).teams)
    for (const SyncTeam::Piece& piece : team.pieces) {
      call.ranks.resize(team.ranks.size());
      const auto by_reach =
          compressed_bytes(plan.gradient_compression, team.gradient * piece.share, scenario.job.value_bytes());
      call.bytes = *std::max_element(by_reach.begin(), by_reach.end());
      if (plan.sharding() == 0) {
        tasklets += most_tasklets_of(plan.gradient_sync, call);
        continue;
      }
      // Half a ring per scatter and gather: for every micro-batch where gradients or parameters are sharded.
      const double scatters = plan.sharding() == 1 ? 1 : micro_batches;
      const double gathers = plan.sharding() == 3 ? 2 * micro_batches : 1;
      tasklets += tasklets_in("reduce_scatter", call) * (scatters + gathers);
    }
  return tasklets;
}

// Each micro-batch is computed forward and backward on each chunk of each rank, and sent or summed among slices as often; each
// group of layers synchronises its gradients once.
double tasklets_of(const Plan& plan, const Scenario& scenario) {
  const double steps = find_pipeline_schedule(plan.schedule)->splits_backward ? 5 : 4;
  const auto ranks = static_cast<double>(plan.ranks());
  double tasklets = 0;
  for (std::size_t replica = 0; replica < plan.degrees.data; ++replica) {
    const PipelinePlan pipeline = plan.pipeline(Replica(replica));
    double slices = 0;
    // Measured sums are part of computations.
    for (const std::size_t degree : pipeline.tensor)
      slices += static_cast<double>(scenario.network.tensor_sums ? degree : degree * degree);
    slices *= static_cast<double>(plan.expert * plan.degrees.context);
    if (plan.degrees.context > 1) slices *= 1 + static_cast<double>(plan.degrees.context);
    tasklets += steps * slices * static_cast<double>(pipeline.micro_batches * plan.virtual_stages * plan.passes);
  }
  if (plan.sharding() > 1) tasklets *= 1 + static_cast<double>(plan.sync_groups);
  if (plan.phase_barrier) tasklets += ranks * std::ceil(2 + std::log2(ranks)) * static_cast<double>(plan.passes + 2);
  return tasklets + sync_tasklets_of(plan, scenario);
}

}  // namespace

void check_size(const Plan& plan, const Scenario& scenario) {
  const double tasklets = tasklets_of(plan, scenario);
  if (tasklets > most_tasklets)
    throw UserError(scenario.culprits.size, fmt::format("the iteration has about {:.2g} tasklets", tasklets),
                    "it would not fit into memory",
                    fmt::format("at most {:.0f} million: a smaller batch, larger micro-batches or a larger "
                                "network.chunk",
                                most_tasklets / 1e6));
}

namespace {

Plan plan_of_degrees(const Scenario& scenario) {
  const PlanSettings& settings = scenario.plan;
  const Job& job = scenario.job;
  if (static_cast<std::size_t>(job.model.heads) % settings.tensor != 0)
    throw UserError(scenario.culprits.degrees,
                    fmt::format("plan.tensor: {} slices of {} heads", settings.tensor, job.model.heads),
                    "tensor parallelism splits attention by heads", "a divisor of the number of heads");
  if (settings.sequence_parallel && settings.tensor == 1)
    throw UserError(settings.sequence_parallel_where, "plan.sequence_parallel: true beside tensor: 1",
                    "it splits norms and dropouts among slices", "tensor: 2 or more, or sequence_parallel: false");
  Plan plan;
  plan.degrees = {settings.pipeline, settings.data, settings.tensor, settings.context};
  plan.layers_per_stage = layers_of(settings, static_cast<std::size_t>(job.model.layers), scenario.culprits.layers);
  plan.micro_batch_size = job.micro_batch;
  plan.micro_batches = job.micro_batches;
  return plan;
}

// A rank for each device.
void check_ranks(const Scenario& scenario, std::size_t devices) {
  const PlanSettings& settings = scenario.plan;
  const bool alike = settings.pipelines.empty();
  double ranks = 0;  // more than integers count, if somebody asks for them
  if (alike) ranks = static_cast<double>(settings.pipeline * settings.data * settings.tensor);
  if (alike) ranks *= static_cast<double>(settings.context);
  for (const PipelineSettings& pipeline : settings.pipelines)
    ranks += static_cast<double>(pipeline.count *
                                 std::accumulate(pipeline.tensor.begin(), pipeline.tensor.end(), std::size_t{0}));
  if (ranks == static_cast<double>(devices)) return;
  throw UserError(alike ? scenario.culprits.degrees : settings.pipelines.front().where,
                  alike
                      ? fmt::format("plan: pipeline {} x data {} x tensor {}{} = {:.0f} ranks", settings.pipeline,
                                    settings.data, settings.tensor,
                                    settings.context > 1 ? fmt::format(" x context {}", settings.context) : "", ranks)
                      : fmt::format("plan.pipelines: {:.0f} ranks", ranks),
                  fmt::format("the platform has {} devices, each runs one rank", devices),
                  alike ? fmt::format("degrees whose product is {}", devices)
                        : fmt::format("replicas with {} ranks together", devices));
}

void check_shards(const PlanSettings& settings, const Plan& plan) {
  if (settings.shards.empty()) return;
  if (settings.zero == 0)
    throw UserError(settings.shards_where, "plan.shards beside zero: 0", "nothing is sharded", "zero: 1, 2 or 3");
  if (settings.shards.size() != plan.degrees.data)
    throw UserError(settings.shards_where,
                    fmt::format("plan.shards: {} shares for {} replicas", settings.shards.size(), plan.degrees.data),
                    "", "one per replica");
}

}  // namespace

Plan fixed_plan(const Scenario& scenario, std::size_t devices) {
  const PlanSettings& settings = scenario.plan;
  const Job& job = scenario.job;
  check_names(settings, scenario.culprits);
  check_ranks(scenario, devices);
  if (job.iterations > 1 && !find_workload_builder(settings.workload)->trains)
    throw UserError(scenario.culprits.workload,
                    fmt::format("plan.workload: '{}' beside job.iterations: {}", settings.workload, job.iterations),
                    "nothing in it orders one call after another", "iterations: 1, or workload: training");
  Plan plan;
  if (settings.pipelines.empty())
    plan = plan_of_degrees(scenario);
  else
    set_pipelines(plan, fixed_pipelines(scenario));
  plan.workload = settings.workload;
  plan.passes = passes_of(job, plan, scenario.culprits.batch);
  plan.schedule = settings.schedule;
  plan.warm_up = settings.warm_up;
  plan.virtual_stages = settings.virtual_stages;
  plan.zero = settings.zero;
  plan.shards = settings.shards;
  plan.expert = settings.expert;
  check_shards(settings, plan);
  plan.phase_barrier = settings.phase_barrier;
  plan.synchronous_transfers = settings.synchronous_transfers;
  plan.sequence_parallel = settings.sequence_parallel;
  plan.gradient_sync = settings.gradient_sync;
  plan.activation_compression = compression_of(settings.activation_compression, "plan.compression.activations");
  plan.gradient_compression = compression_of(settings.gradient_compression, "plan.compression.gradients");
  plan.compression_rate = settings.compression_rate;
  plan.sync_groups = sync_groups_within(plan, scenario);
  check_schedule(scenario, plan);
  check_size(plan, scenario);
  return plan;
}

std::size_t samples_per_iteration(const Plan& plan) {
  std::size_t sequences = 0;
  for (const PipelinePlan& pipeline : plan.pipelines) sequences += pipeline.micro_batches * pipeline.micro_batch_size;
  if (plan.pipelines.empty()) sequences = plan.degrees.data * plan.micro_batches * plan.micro_batch_size;
  return sequences * plan.passes;
}

}  // namespace longhaul
