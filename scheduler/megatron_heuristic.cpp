// The rules of thumb of Megatron-LM (arXiv 2104.04473 section 3), without any simulation.
//
// - Takeaway 1: tensor parallelism up to the devices of a machine, then pipeline parallelism.
// - Takeaway 2: as little of both as lets the model fit its devices; data parallelism for the rest.
// - Takeaway 3: of the micro-batch sizes b that fit, the one with the least (b' / b + p - 1)(tf(b) + tb(b)), b' sequences for
//   each replica. tf + tb is the computing of the slowest stage on its slowest device; summing over slices is not in it.
// - Megatron's order of ranks.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "scheduler/placement.hpp"
#include "scheduler/plan_space.hpp"
#include "sim/base/error.hpp"
#include "sim/workload/compute_time.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/schedule.hpp"
#include "sim/workload/stage_part.hpp"

namespace longhaul {
namespace {

struct Choice {
  Plan plan;
  Seconds predicted;  // of an iteration's computing
};

class MegatronHeuristic {
 public:
  explicit MegatronHeuristic(const Problem& problem)
      : problem_(problem), keep_(kept(problem)), sequences_(samples_per_iteration(problem.fixed)) {}

  Decision run() {
    for (const Degrees& degrees : degrees_in_order())
      if (const auto choice = with_best_micro_batch(degrees)) return decision_of(*choice);
    throw UserError({}, "megatron_heuristic finds no degrees and micro-batch that fit the devices",
                    unmeasured_.empty() ? "even the smallest needs more memory than there is" : unmeasured_,
                    "recomputation, a smaller model, or a scheduler that keeps the plan's degrees");
  }

 private:
  // Tensor degrees up to a machine at pipeline 1, then the largest at longer and longer pipelines.
  std::vector<Degrees> degrees_in_order() const {
    if (keep_.degrees) return {problem_.fixed.degrees};
    const std::size_t parts = problem_.fixed.degrees.context;
    const std::size_t devices = problem_.platform.size() / parts;
    const auto heads = static_cast<std::size_t>(problem_.job->model.heads);
    const auto layers = static_cast<std::size_t>(problem_.job->model.layers);
    const std::size_t machine = devices_of_every_machine();
    std::vector<Degrees> order;
    std::size_t tensor = 1;
    for (std::size_t slices = 1; slices <= machine; ++slices) {
      if (machine % slices != 0 || heads % slices != 0 || devices % slices != 0) continue;
      order.push_back({1, devices / slices, slices, parts});
      tensor = slices;
    }
    const std::size_t groups = devices / tensor;
    for (std::size_t pipeline = 2; pipeline <= std::min(groups, layers); ++pipeline)
      if (groups % pipeline == 0) order.push_back({pipeline, groups / pipeline, tensor, parts});
    return order;
  }

  // The largest number of neighbouring devices into which all machines can be divided.
  std::size_t devices_of_every_machine() const {
    std::size_t common = 0;
    std::size_t run = 0;
    for (std::size_t i = 0; i < problem_.platform.size(); ++i) {
      ++run;
      const bool last =
          i + 1 == problem_.platform.size() || !problem_.platform.same_machine(DeviceId(i), DeviceId(i + 1));
      if (!last) continue;
      common = std::gcd(common, run);
      run = 0;
    }
    return common;
  }

  std::optional<Choice> with_best_micro_batch(const Degrees& degrees) {
    std::optional<Choice> best;
    if (sequences_ % degrees.data != 0) return best;
    const std::size_t each = sequences_ / degrees.data;
    for (std::size_t size = 1; size <= each; ++size) {
      if (each % size != 0 || (keep_.micro_batch && size != problem_.fixed.micro_batch_size)) continue;
      const auto plan = fitting_plan(degrees, size, each / size);
      if (!plan) continue;
      const auto time = predicted_time(*plan);
      if (time && (!best || *time < best->predicted)) best = Choice{*plan, *time};
    }
    return best;
  }

  // With the scenario's schedule, in as few passes as fit if that shortens what is in flight.
  std::optional<Plan> fitting_plan(const Degrees& degrees, std::size_t size, std::size_t micro_batches) const {
    Plan plan = problem_.fixed;
    if (degrees.pipeline != plan.degrees.pipeline)
      plan.layers_per_stage = even_layers(static_cast<std::size_t>(problem_.job->model.layers), degrees.pipeline);
    plan.degrees = degrees;
    plan.micro_batch_size = size;
    plan.rank_of_device.clear();
    for (std::size_t device = 0; device < problem_.platform.size(); ++device)
      plan.rank_of_device.push_back(degrees.from_megatron(device));
    const bool in_phases = find_pipeline_schedule(plan.schedule)->has_phases;
    for (std::size_t passes = 1; passes <= (in_phases || keep_.runtime ? micro_batches : 1); ++passes) {
      if (micro_batches % passes != 0 || (keep_.runtime && passes != problem_.fixed.passes)) continue;
      plan.passes = passes;
      plan.micro_batches = micro_batches / passes;
      if (can_run(plan) && fits(plan)) return plan;
    }
    return std::nullopt;
  }

  bool fits(const Plan& plan) const {
    const std::vector<StageMemory> stages = stage_memory(*problem_.job, plan, problem_.platform);
    return std::all_of(stages.begin(), stages.end(), [](const StageMemory& stage) { return stage.fits(); });
  }

  // Nothing where nobody measured the layers with this tensor degree and micro-batch.
  std::optional<Seconds> predicted_time(const Plan& plan) {
    const std::vector<StageLoad> loads = stage_loads(*problem_.job, plan.layers_per_stage, plan.micro_batch_size);
    std::set<std::pair<std::string, std::size_t>> seen;  // device types and stages
    Seconds slowest;
    try {
      for (std::size_t i = 0; i < plan.rank_of_device.size(); ++i) {
        const Device& device = problem_.platform.device(DeviceId(i));
        const Stage stage = plan.degrees.stage(plan.rank_of_device[i]);
        if (!seen.emplace(device.type, stage.value).second) continue;
        const StageTimes times = stage_times(*problem_.job, plan, loads[stage.value], stage, device);
        slowest = std::max(slowest, times.forward + times.backward + times.weight_gradient);
      }
    } catch (const UserError& error) {
      unmeasured_ = error.what();
      return std::nullopt;
    }
    return slowest * static_cast<double>(plan.passes * (plan.micro_batches + plan.degrees.pipeline - 1));
  }

  Decision decision_of(const Choice& choice) const {
    const Plan& plan = choice.plan;
    Decision decision = decide(problem_, plan.rank_of_device);
    decision.plan = plan;
    decision.reason = fmt::format(
        "The least model parallelism that fits: tensor {} x pipeline {}, {} replicas. Of the micro-batch sizes that "
        "fit, {} is "
        "predicted to compute the shortest: ({} + {} - 1)(tf + tb) = {:.2f} s{}.",
        plan.degrees.tensor, plan.degrees.pipeline, plan.degrees.data, plan.micro_batch_size, plan.micro_batches,
        plan.degrees.pipeline, choice.predicted.value,
        plan.passes > 1 ? fmt::format(" in {} passes", plan.passes) : "");
    return decision;
  }

  const Problem& problem_;
  Keep keep_;
  std::size_t sequences_;
  std::string unmeasured_;  // the last reason why a time is not known
};

}  // namespace

Decision plan_megatron_heuristic(const Problem& problem) {
  check_one_rank_per_device(problem);
  check_replicas_alike(problem);
  require(problem.job != nullptr, "a scheduler that decides degrees without a job");
  return MegatronHeuristic(problem).run();
}

}  // namespace longhaul
