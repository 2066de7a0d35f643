#include "sim/workload/memory_check.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/workload/stage_part.hpp"

namespace longhaul {
namespace {

constexpr std::size_t most_remedies = 3;

// Whether the plan can be run and no stage needs more.
bool fits(const Job& job, const Plan& plan, Bytes memory) {
  if (!can_run(plan)) return false;
  const std::vector<StageMemory> stages = stage_memory(job, plan);
  return std::all_of(stages.begin(), stages.end(),
                     [memory](const StageMemory& stage) { return stage.total() <= memory; });
}

std::string with_other_schedule(const Job& job, Plan plan, Bytes memory) {
  if (plan.schedule == "1f1b" || plan.phase_barrier) return "";
  const bool interleaved = plan.virtual_stages > 1;
  plan.schedule = "1f1b";
  plan.virtual_stages = 1;
  return fits(job, plan, memory)
             ? (interleaved ? "plan.schedule: 1f1b with plan.virtual_stages: 1" : "plan.schedule: 1f1b")
             : "";
}

std::string with_smaller_micro_batch(const Job& job, const Plan& plan, Bytes memory) {
  const std::size_t sequences = plan.micro_batch_size * plan.micro_batches;
  for (std::size_t size = plan.micro_batch_size - 1; size > 0; --size) {
    if (sequences % size != 0) continue;
    Job smaller_job = job;
    Plan smaller = plan;
    smaller_job.micro_batch = smaller.micro_batch_size = size;
    smaller.micro_batches = sequences / size;
    if (fits(smaller_job, smaller, memory))
      return fmt::format("job.micro_batch: {} with job.micro_batches: {}", size, smaller.micro_batches);
  }
  return "";
}

// A pass of fewer micro-batches never needs more: the largest that fits, by bisection. An interleaving schedule takes whole
// groups of them.
std::string with_fewer_in_flight(const Job& job, const Plan& plan, Bytes memory) {
  const std::size_t group = plan.virtual_stages > 1 ? plan.degrees.pipeline : 1;
  const auto fits_with = [&](std::size_t groups) {
    Plan fewer = plan;
    fewer.micro_batches = groups * group;
    return fits(job, fewer, memory);
  };
  if (plan.micro_batches == group || !fits_with(1)) return "";
  std::size_t good = 1;
  std::size_t bad = plan.micro_batches / group;
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (fits_with(middle) ? good : bad) = middle;
  }
  return fmt::format("job.micro_batches: {}", good * group);
}

std::string with_sharded_optimizer(const Job& job, Plan plan, Bytes memory) {
  if (plan.zero > 0 || plan.degrees.copies() == 1 || plan.gradient_sync != zero_collective) return "";
  plan.zero = 1;
  return fits(job, plan, memory) ? "plan.zero: 1" : "";
}

std::string with_offload(Job job, const Plan& plan, Bytes memory) {
  if (job.optimizer_offload) return "";
  job.optimizer_offload = true;
  return fits(job, plan, memory) ? "job.optimizer_offload: true" : "";
}

std::string with_recomputation(Job job, const Plan& plan, Bytes memory) {
  if (job.recompute == Recompute::full) return "";
  job.recompute = Recompute::full;
  return fits(job, plan, memory) ? "job.recompute: full" : "";
}

std::string with_more_stages(const Job& job, const Plan& plan, Bytes memory) {
  const auto layers = static_cast<std::size_t>(job.model.layers);
  const std::size_t ranks = plan.degrees.pipeline * plan.degrees.data;
  for (std::size_t stages = plan.degrees.pipeline + 1; stages <= std::min(layers, ranks); ++stages) {
    if (ranks % stages != 0) continue;
    Plan longer = plan;
    longer.degrees.pipeline = stages;
    longer.degrees.data = ranks / stages;
    longer.layers_per_stage = even_layers(layers, stages);
    if (fits(job, longer, memory))
      return fmt::format("plan.pipeline: {} with plan.data: {}", stages, longer.degrees.data);
  }
  return "";
}

}  // namespace

std::vector<std::string> memory_remedies(const Job& job, const Plan& plan, Bytes memory) {
  std::vector<std::string> remedies{
      with_other_schedule(job, plan, memory),  with_smaller_micro_batch(job, plan, memory),
      with_fewer_in_flight(job, plan, memory), with_sharded_optimizer(job, plan, memory),
      with_offload(job, plan, memory),         with_recomputation(job, plan, memory),
      with_more_stages(job, plan, memory)};
  remedies.erase(std::remove(remedies.begin(), remedies.end(), ""), remedies.end());
  return remedies;
}

void check_memory(const Job& job, const Plan& plan, const PlatformView& platform, const Location& where) {
  const std::vector<StageMemory> stages = stage_memory(job, plan, platform);
  const std::size_t fullest = fullest_stage(stages);
  if (stages[fullest].fits()) return;
  Bytes smallest = stages[fullest].device;
  for (const StageMemory& stage : stages)
    if (stage.device > Bytes()) smallest = std::min(smallest, stage.device);
  std::vector<std::string> remedies = memory_remedies(job, plan, smallest);
  remedies.resize(std::min(remedies.size(), most_remedies));
  if (remedies.empty())
    remedies.emplace_back("a smaller model or devices with more memory: no change alone is enough");
  const StageMemory& stage = stages[fullest];
  throw UserError(
      where,
      fmt::format("plan: stage {} needs {:.2f} GB, {:.2f} GB more than its device has", stage.name(),
                  stage.total().value / 1e9, (stage.total() - stage.device).value / 1e9),
      fmt::format("{:.2f} GB, with {} micro-batches in flight", stage.device.value / 1e9, stage.in_flight),
      fmt::format("{}", fmt::join(remedies, ", or ")));
}

}  // namespace longhaul
