#include "scheduler/plan_reason.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/workload/rank_layout.hpp"
#include "sim/workload/ring_order.hpp"

namespace longhaul {
namespace {

std::string runtime_of(const Plan& plan) {
  std::string text = plan.schedule;
  text += plan.passes == 1 ? " in one pass" : fmt::format(" in {} passes", plan.passes);
  if (plan.pipelines.empty()) text += fmt::format(" of {} micro-batches", plan.micro_batches);
  return text + (plan.phase_barrier ? " with barriers" : " without barriers");
}

std::string sync_of(const Plan& plan) {
  std::string text = plan.gradient_sync;
  if (plan.zero > 0) text += fmt::format(" as ZeRO-{}", plan.zero);
  if (!plan.ring_orders.empty()) text += " along short tours";
  if (plan.sync_groups > 1) text += fmt::format(" in {} parts that overlap backward", plan.sync_groups);
  return text;
}

// "4 A100-SXM4-80GB in oregon run 12 layers": what each kind of device of a replica got.
std::string shares_of(const Problem& problem, const Plan& plan, const RankLayout& layout, Replica replica) {
  struct Share {
    std::size_t devices = 0;
    double layers = 0;
  };
  const PipelinePlan pipeline = plan.pipeline(replica);
  std::map<std::string, Share> shares;
  for (std::size_t device = 0; device < plan.rank_of_device.size(); ++device) {
    const RankId rank = plan.rank_of_device[device];
    if (layout.replica(rank) != replica) continue;
    const Device& one = problem.platform.device(DeviceId(device));
    const Stage stage = layout.stage(rank);
    Share& share = shares[one.type + " in " + one.region];
    ++share.devices;
    share.layers +=
        static_cast<double>(pipeline.layers[stage.value]) / static_cast<double>(layout.slices(replica, stage));
  }
  std::vector<std::string> texts;
  for (const auto& [kind, share] : shares)
    texts.push_back(fmt::format("{} {} run {:g} layers", share.devices, kind, share.layers));
  return fmt::format("{}, {} micro-batches of {}", fmt::join(texts, ", "), pipeline.micro_batches * plan.passes,
                     pipeline.micro_batch_size);
}

// Replicas that got the same in one.
std::string shares_of(const Problem& problem, const Plan& plan) {
  const RankLayout layout(plan);
  std::vector<std::pair<std::string, std::size_t>> kinds;
  for (std::size_t number = 0; number < plan.degrees.data; ++number) {
    const std::string kind = shares_of(problem, plan, layout, Replica(number));
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& other) { return other.first == kind; });
    if (found == kinds.end())
      kinds.emplace_back(kind, 1);
    else
      ++found->second;
  }
  std::vector<std::string> texts;
  for (const auto& [kind, count] : kinds)
    texts.push_back(fmt::format("{} replica{}: {}", count, count == 1 ? "" : "s", kind));
  return fmt::format(" Who got what: {}.", fmt::join(texts, "; "));
}

bool types_differ(const PlatformView& platform) {
  const std::vector<Device>& devices = platform.devices();
  return std::any_of(devices.begin(), devices.end(),
                     [&](const Device& device) { return device.type != devices.front().type; });
}

// "oregon" or "tokyo and seoul": where the replicas of a stage are.
std::string place_of(const Problem& problem, const Plan& plan, Stage stage) {
  std::map<std::string, std::size_t> counts;
  for (std::size_t device = 0; device < plan.rank_of_device.size(); ++device)
    if (plan.degrees.stage(plan.rank_of_device[device]) == stage)
      ++counts[problem.platform.device(DeviceId(device)).region];
  if (counts.size() > 2) return fmt::format("{} regions", counts.size());
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) names.push_back(name);
  return fmt::format("{}", fmt::join(names, " and "));
}

std::string stages_of(const Problem& problem, const Plan& plan) {
  std::vector<std::string> places;
  for (std::size_t stage = 0; stage < plan.degrees.pipeline; ++stage)
    places.push_back(place_of(problem, plan, Stage(stage)));
  if (std::all_of(places.begin(), places.end(), [&](const std::string& place) { return place == places.front(); }))
    return plan.degrees.pipeline == 1 ? "" : fmt::format(", every stage in {}", places.front());
  return fmt::format(", its stages in {}", fmt::join(places, ", "));
}

std::string steps_from(const Problem& problem, const Rival& rival, const Plan& chosen, Seconds seconds) {
  std::string text =
      fmt::format("The best of the other schedulers, {}, takes {:.2f} s", rival.name, rival.seconds.value);
  if (chosen == rival.plan) return text + ", and nothing faster was found.";
  text += fmt::format(" with {} and {}.", runtime_of(rival.plan), sync_of(rival.plan));
  const bool same_degrees =
      chosen.degrees == rival.plan.degrees && chosen.pipelines.empty() && rival.plan.pipelines.empty();
  Plan step = rival.plan;
  Seconds last = rival.seconds;
  const auto advance = [&](const std::string& what) {
    try {
      const Seconds now = problem.confirm(step);
      text += fmt::format(" {} {} {:.2f} s.", what, now < last ? "brings it to" : "alone makes it", now.value);
      last = now;
    } catch (const UserError&) {
      // such as a profile that lacks the setting: the step has no time of its own
    }
  };
  if (same_degrees) {
    step.schedule = chosen.schedule;
    step.virtual_stages = chosen.virtual_stages;
    step.passes = chosen.passes;
    step.micro_batches = chosen.micro_batches;
    step.micro_batch_size = chosen.micro_batch_size;
    step.phase_barrier = chosen.phase_barrier;
    step.synchronous_transfers = chosen.synchronous_transfers;
    if (!(step == rival.plan)) advance("Running it as " + runtime_of(step));
    const Plan before = step;
    step.gradient_sync = chosen.gradient_sync;
    step.sync_groups = chosen.sync_groups;
    step.ring_orders.clear();
    if (!chosen.ring_orders.empty()) step.ring_orders = nearest_ring_orders(*problem.job, step, problem.platform);
    if (!(step == before)) advance("Gradient sync by " + sync_of(step));
  }
  if (!chosen.pipelines.empty()) {
    text += fmt::format(" {} replicas that differ, {}, {}, take {:.2f} s: {:.2f} times as fast.", chosen.degrees.data,
                        runtime_of(chosen), sync_of(chosen), seconds.value, rival.seconds / seconds);
  } else if (!(step == chosen)) {
    text += fmt::format(" {} pipeline {} x data {} with micro-batches of {}, {}, {}{}, takes {:.2f} s:",
                        same_degrees ? "Placed otherwise," : "The plan", chosen.degrees.pipeline, chosen.degrees.data,
                        chosen.micro_batch_size, runtime_of(chosen), sync_of(chosen), stages_of(problem, chosen),
                        seconds.value);
    text += fmt::format(" {:.2f} times as fast.", rival.seconds / seconds);
  }
  return text;
}

}  // namespace

std::string reason_of(const Problem& problem, const Rival& rival, const Plan& chosen, Seconds seconds) {
  const std::string text = steps_from(problem, rival, chosen, seconds);
  return types_differ(problem.platform) || !chosen.pipelines.empty() ? text + shares_of(problem, chosen) : text;
}

std::string search_of(std::size_t estimated, std::size_t confirmed) {
  return fmt::format(" {} plans were tried on the fast evaluator, {} simulated in full.", estimated, confirmed);
}

}  // namespace longhaul
