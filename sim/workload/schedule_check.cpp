#include "sim/workload/schedule_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/workload/schedule.hpp"
#include "sim/workload/stage_part.hpp"

namespace longhaul {
namespace {

void check_chunks(const Plan& plan, const Location& where) {
  const std::size_t stages = plan.degrees.pipeline;
  const std::size_t chunks = plan.virtual_stages;
  if (find_pipeline_schedule(plan.schedule)->interleaves && !plan.pipelines.empty())
    throw UserError(where, fmt::format("plan.schedule: '{}' beside plan.pipelines", plan.schedule),
                    "chunks are known to replicas that are alike only", "another schedule, such as 1f1b");
  if (!find_pipeline_schedule(plan.schedule)->interleaves) {
    if (chunks > 1)
      throw UserError(where, fmt::format("plan.schedule: '{}' with virtual_stages: {}", plan.schedule, chunks),
                      "it runs a stage as one chunk", "virtual_stages: 1, or schedule: interleaved_1f1b");
    return;
  }
  if (chunks < 2)
    throw UserError(where, fmt::format("plan.schedule: '{}' with virtual_stages: {}", plan.schedule, chunks),
                    "there are no chunks to interleave", "virtual_stages: 2 or more, or schedule: 1f1b");
  if (stages < 2)
    throw UserError(where, fmt::format("plan.schedule: '{}' with pipeline: {}", plan.schedule, stages),
                    "chunks are interleaved across stages", "pipeline: 2 or more, or schedule: 1f1b");
  if (plan.micro_batches % stages != 0)
    throw UserError(where,
                    fmt::format("plan.schedule: '{}' with {} micro-batches", plan.schedule, plan.micro_batches),
                    fmt::format("chunks take turns after as many as there are stages, {}", stages),
                    fmt::format("job.micro_batches: a multiple of {}", stages));
  const std::size_t fewest = *std::min_element(plan.layers_per_stage.begin(), plan.layers_per_stage.end());
  if (fewest < chunks)
    throw UserError(where, fmt::format("plan.virtual_stages: {} chunks", chunks),
                    fmt::format("a stage has {} layers, every chunk needs one", fewest),
                    fmt::format("at most {}", fewest));
}

void check_warm_up(const std::vector<std::size_t>& ahead, std::size_t stages, const Plan& plan,
                   const Location& where) {
  if (ahead.empty()) return;
  if (!find_pipeline_schedule(plan.schedule)->takes_warm_up)
    throw UserError(where, fmt::format("plan.warm_up beside schedule: {}", plan.schedule),
                    "that schedule says how many forwards each stage runs ahead", "schedule: 1f1b");
  if (ahead.size() != stages)
    throw UserError(where, fmt::format("plan.warm_up has {} entries for {} stages", ahead.size(), stages), "",
                    "one number per stage");
  for (std::size_t stage = 0; stage + 1 < ahead.size(); ++stage)
    if (ahead[stage] < ahead[stage + 1])
      throw UserError(where,
                      fmt::format("plan.warm_up: stage {} runs {} forwards ahead, stage {} runs {}", stage,
                                  ahead[stage], stage + 1, ahead[stage + 1]),
                      "each would wait for the other for ever", "numbers that do not increase along the pipeline");
}

void check_warm_ups(const PlanSettings& settings, const Plan& plan) {
  if (settings.pipelines.empty())
    return check_warm_up(plan.warm_up, plan.degrees.pipeline, plan, settings.warm_up_where);
  if (!settings.warm_up.empty())
    throw UserError(settings.warm_up_where, "plan.warm_up beside plan.pipelines",
                    "each replica has stages of its own", "warm_up in the entries of plan.pipelines");
  for (const PipelineSettings& pipeline : settings.pipelines)
    check_warm_up(pipeline.warm_up, pipeline.layers.size(), plan, pipeline.where);
}

void check_sharding(const PlanSettings& settings, const Plan& plan) {
  if (plan.zero == 0) return;
  const std::string what = fmt::format("plan.zero: {}", plan.zero);
  if (plan.workload != "training")
    throw UserError(settings.zero_where, fmt::format("{} beside workload: {}", what, plan.workload),
                    "it has nothing to shard", "zero: 0, or workload: training");
  if (plan.gradient_sync != zero_collective)
    throw UserError(settings.zero_where, fmt::format("{} beside gradient_sync: {}", what, plan.gradient_sync),
                    "gradients are scattered and parameters gathered along a ring",
                    fmt::format("gradient_sync: {}", zero_collective));
  if (plan.zero > 1 && plan.degrees.pipeline > 1)
    throw UserError(settings.zero_where, fmt::format("{} beside pipeline: {}", what, plan.degrees.pipeline),
                    "it communicates for every micro-batch, which a pipeline is there to avoid",
                    "zero: 1, or pipeline: 1");
}

void check_experts(const Scenario& scenario, const Plan& plan) {
  if (plan.expert == 1) return;
  const Location& where = scenario.plan.expert_where;
  const auto experts = static_cast<std::size_t>(scenario.job.model.experts);
  const std::string what = fmt::format("plan.expert: {}", plan.expert);
  if (experts == 1)
    throw UserError(where, what + " beside a dense model", "it has no experts to divide", "a model with experts");
  if (experts % plan.expert != 0)
    throw UserError(where, fmt::format("{} of {} experts", what, experts), "each replica holds as many",
                    fmt::format("a divisor of {}", experts));
  if (plan.degrees.data % plan.expert != 0)
    throw UserError(where, fmt::format("{} beside {} replicas", what, plan.degrees.data),
                    "experts are divided among neighbouring replicas",
                    fmt::format("a divisor of {}", plan.degrees.data));
  if (!plan.pipelines.empty())
    throw UserError(where, what + " beside plan.pipelines", "replicas that share experts run step by step together",
                    "pipeline and data");
  if (plan.zero > 1 || !plan.shards.empty())
    throw UserError(where, what + (plan.zero > 1 ? fmt::format(" beside zero: {}", plan.zero) : " beside shards"),
                    "experts are held by a part of the replicas", "zero: 0 or 1, without shards");
}

void check_context(const Scenario& scenario, const Plan& plan) {
  if (plan.degrees.context == 1) return;
  const Location& where = scenario.plan.context_where;
  const auto sequence = static_cast<std::size_t>(scenario.job.model.sequence);
  const std::string what = fmt::format("plan.context: {}", plan.degrees.context);
  if (sequence % plan.degrees.context != 0)
    throw UserError(where, fmt::format("{} parts of {} tokens", what, sequence), "every rank has as many",
                    fmt::format("a divisor of {}", sequence));
  if (scenario.plan.balance.layers || scenario.plan.balance.micro_batches)
    throw UserError(where, what + " beside balance", "balanced replicas differ, and cut no sequences", "no balance");
  if (!plan.shards.empty())
    throw UserError(where, what + " beside shards", "shares are those of replicas, not of their parts", "no shards");
}

}  // namespace

void check_schedule(const Scenario& scenario, const Plan& plan) {
  if (plan.phase_barrier && !find_pipeline_schedule(plan.schedule)->has_phases)
    throw UserError(scenario.plan.schedule_where,
                    fmt::format("plan.schedule: '{}' beside phase_barrier: true", plan.schedule),
                    "it has no phases to put a barrier between", "phase_barrier: false, or schedule: gpipe");
  check_chunks(plan, scenario.culprits.chunks);
  check_warm_ups(scenario.plan, plan);
  check_sharding(scenario.plan, plan);
  check_experts(scenario, plan);
  check_context(scenario, plan);
  if (plan.virtual_stages > 1 && plan.synchronous_transfers)
    throw UserError(scenario.culprits.chunks,
                    fmt::format("plan.schedule: '{}' beside synchronous_transfers: true", plan.schedule),
                    "in a circle of stages every one would wait for the next", "synchronous_transfers: false");
  if (const auto stuck = stuck_pipeline(plan))
    throw UserError(plan.warm_up.empty() ? scenario.plan.schedule_where : scenario.plan.warm_up_where,
                    fmt::format("plan.schedule: '{}' beside synchronous_transfers: true", plan.schedule),
                    fmt::format("stage {}{} runs more than two forwards further ahead than the next, and each would "
                                "wait for the other for ever",
                                stuck->stage.value,
                                plan.pipelines.empty() ? "" : fmt::format(" of replica {}", stuck->replica.value)),
                    "synchronous_transfers: false, or schedule: 1f1b with its own warm_up");
  if (plan.sync_groups > 1 && plan.sync_groups % plan.virtual_stages != 0)
    throw UserError(
        scenario.culprits.groups,
        fmt::format("plan.sync_groups: {} groups beside virtual_stages: {}", plan.sync_groups, plan.virtual_stages),
        "every chunk has as many", fmt::format("1, or a multiple of {}", plan.virtual_stages));
}

}  // namespace longhaul
