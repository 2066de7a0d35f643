#include "scheduler/plan_space.hpp"

#include <algorithm>

#include "scheduler/open_path.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/ring_order.hpp"
#include "sim/workload/schedule.hpp"
#include "sim/workload/workload_builder.hpp"

namespace longhaul {
namespace {

constexpr std::size_t largest_micro_batch = 16;

// Pipelines x replicas for the same devices and slices, every stage with a layer.
std::vector<Degrees> degrees_for(const Problem& problem) {
  Degrees own = problem.fixed.degrees;
  std::vector<Degrees> result;
  std::size_t groups = own.pipeline * own.data;
  if (problem.fixed.pipelines.empty()) {
    result.push_back(own);
  } else {
    own = {0, 0, 1};
    groups = problem.platform.size();
  }
  const auto layers = static_cast<std::size_t>(problem.job->model.layers);
  for (std::size_t pipeline = 1; pipeline <= std::min(groups, layers); ++pipeline)
    if (groups % pipeline == 0 && pipeline != own.pipeline)
      result.push_back({pipeline, groups / pipeline, own.tensor, own.context});
  return result;
}

std::vector<std::size_t> micro_batch_sizes(const Problem& problem, std::size_t sequences) {
  std::vector<std::size_t> sizes{problem.fixed.micro_batch_size};
  for (std::size_t size = 1; size <= largest_micro_batch; size *= 2)
    if (size != sizes.front() && sequences % size == 0) sizes.push_back(size);
  return sizes;
}

// In as few passes as fit; nothing if no number of them does.
std::optional<Plan> in_fewest_passes(Plan plan, std::size_t micro_batches, const PlanTrials& trials) {
  for (std::size_t passes = 1; passes <= micro_batches; ++passes) {
    if (micro_batches % passes != 0) continue;
    plan.passes = passes;
    plan.micro_batches = micro_batches / passes;
    if (trials.fits(plan)) return plan;
  }
  return std::nullopt;
}

void add_schedules(const Plan& base, const Keep& keep, const PlanTrials& trials, std::vector<Plan>& shapes) {
  const std::size_t micro_batches = base.micro_batches * base.passes;
  Plan plan = base;
  plan.warm_up.clear();
  plan.phase_barrier = false;
  plan.synchronous_transfers = false;
  for (const PipelineSchedule& schedule : pipeline_schedules()) {
    if (keep.runtime && schedule.name != base.schedule) continue;
    plan.schedule = schedule.name;
    // Chunks where the scenario's plan has them, as many as that.
    plan.virtual_stages = schedule.interleaves ? base.virtual_stages : 1;
    if (keep.runtime) {
      if (trials.fits(base)) shapes.push_back(base);
    } else if (const auto fitting = in_fewest_passes(plan, micro_batches, trials)) {
      shapes.push_back(*fitting);
    }
  }
}

// Regions in the order of a short path: an edge is the time of one activation and one share of gradients.
std::vector<std::string> regions_along_path(const Problem& problem) {
  const PlatformView& platform = problem.platform;
  std::vector<std::string> regions;
  std::vector<DeviceId> first;
  for (std::size_t i = 0; i < platform.size(); ++i) {
    const std::string& region = platform.device(DeviceId(i)).region;
    if (std::find(regions.begin(), regions.end(), region) != regions.end()) continue;
    regions.push_back(region);
    first.emplace_back(i);
  }
  if (regions.size() == 1) return regions;
  std::vector<double> edges(regions.size() * regions.size(), 0);
  for (std::size_t a = 0; a < regions.size(); ++a)
    for (std::size_t b = 0; b < regions.size(); ++b) {
      if (a == b) continue;
      const Path &there = platform.path(first[a], first[b]), &back = platform.path(first[b], first[a]);
      edges[a * regions.size() + b] = (there.latency + back.latency + problem.sizes.activation / there.bandwidth +
                                       problem.sizes.activation / back.bandwidth)
                                          .value;
    }
  OpenPath path(regions.size());
  path.solve(edges.data());
  std::vector<std::string> ordered;
  for (const std::uint32_t region : path.order()) ordered.push_back(regions[region]);
  return ordered;
}

// Devices region by region, faster types first within one, those of a machine together.
std::vector<DeviceId> devices_of(const PlatformView& platform, const std::vector<std::string>& regions) {
  std::vector<DeviceId> devices;
  for (const std::string& region : regions)
    for (std::size_t i = 0; i < platform.size(); ++i)
      if (platform.device(DeviceId(i)).region == region) devices.emplace_back(i);
  return devices;
}

// Blocks of so many replicas on consecutive devices, each filled stage by stage.
Plan placed(const Plan& shape, const std::vector<DeviceId>& devices, std::size_t block) {
  Plan plan = shape;
  plan.ring_orders.clear();
  plan.rank_of_device.assign(devices.size(), RankId(0));
  const Degrees& degrees = shape.degrees;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::size_t place = i / degrees.ranks_of_stage();
    const std::size_t member = i % degrees.ranks_of_stage();
    const std::size_t within = place % (degrees.pipeline * block);
    const Stage stage(within / block);
    const Replica replica(place / (degrees.pipeline * block) * block + within % block);
    plan.rank_of_device[devices[i].value] = degrees.rank(replica, stage, member);
  }
  return plan;
}

}  // namespace

Keep kept(const Problem& problem) {
  Keep keep = problem.search.keep;
  const Job& job = *problem.job;
  if (job.compute.forward || job.compute.weight_update || job.activation_bytes || job.gradient_bytes)
    keep.degrees = keep.micro_batch = true;
  if (!find_workload_builder(problem.fixed.workload)->trains)
    keep.degrees = keep.micro_batch = keep.runtime = keep.sync = true;
  return keep;
}

std::vector<Plan> plan_shapes(const Problem& problem, const PlanTrials& trials) {
  const Keep keep = kept(problem);
  const std::size_t sequences = samples_per_iteration(problem.fixed);
  std::vector<Plan> shapes;
  if (keep.degrees && !problem.fixed.pipelines.empty()) return shapes;  // of replicas that are alike there are none
  for (const Degrees& degrees : keep.degrees ? std::vector{problem.fixed.degrees} : degrees_for(problem)) {
    Plan plan = problem.fixed;
    plan.pipelines.clear();
    if (!problem.fixed.pipelines.empty() || !(degrees == plan.degrees))
      plan.layers_per_stage = even_layers(static_cast<std::size_t>(problem.job->model.layers), degrees.pipeline);
    if (degrees.data != plan.degrees.data) plan.shards.clear();
    plan.degrees = degrees;
    const auto sizes = keep.micro_batch ? std::vector{plan.micro_batch_size} : micro_batch_sizes(problem, sequences);
    for (const std::size_t size : sizes) {
      plan.micro_batch_size = size;
      if (sequences % (degrees.data * size) != 0) continue;
      if (!keep.runtime) {
        plan.passes = 1;
        plan.micro_batches = sequences / (degrees.data * size);
      } else if (degrees.data * size * plan.micro_batches * plan.passes != sequences) {
        continue;
      }
      add_schedules(plan, keep, trials, shapes);
    }
  }
  return shapes;
}

std::vector<Plan> placements_along_path(const Problem& problem, const Plan& shape) {
  std::vector<std::string> regions = regions_along_path(problem);
  const std::vector<DeviceId> along = devices_of(problem.platform, regions);
  std::reverse(regions.begin(), regions.end());
  const std::vector<DeviceId> back = devices_of(problem.platform, regions);
  std::vector<DeviceId> own;
  for (std::size_t i = 0; i < problem.platform.size(); ++i) own.emplace_back(i);

  std::vector<Plan> plans;
  for (const auto& devices : {along, back, own})
    for (std::size_t block = shape.degrees.data; block > 0; --block) {
      if (shape.degrees.data % block != 0) continue;
      Plan plan = placed(shape, devices, block);
      if (std::find(plans.begin(), plans.end(), plan) == plans.end()) plans.push_back(std::move(plan));
    }
  return plans;
}

namespace {

// Machines of several devices in several regions.
bool has_three_levels(const PlatformView& platform) {
  bool regions = false;
  bool machines = false;
  for (std::size_t i = 1; i < platform.size(); ++i) {
    regions = regions || platform.device(DeviceId(i)).region != platform.device(DeviceId(0)).region;
    machines = machines || platform.same_machine(DeviceId(i - 1), DeviceId(i));
  }
  return regions && machines;
}

}  // namespace

std::vector<Plan> sync_choices(const Problem& problem, const Plan& plan) {
  std::vector<Plan> choices;
  if (kept(problem).sync || plan.degrees.copies() == 1) return choices;
  std::size_t layers = *std::max_element(plan.layers_per_stage.begin(), plan.layers_per_stage.end());
  for (const PipelinePlan& pipeline : plan.pipelines)
    layers = std::max(layers, *std::max_element(pipeline.layers.begin(), pipeline.layers.end()));
  for (const Collective& collective : collectives()) {
    const std::string name = collective.name;
    if (!collective.synchronises || (plan.zero > 0 && name != zero_collective)) continue;
    if (name == "auto" || (name == "hierarchical_ring_3" && !has_three_levels(problem.platform))) continue;
    for (const std::size_t groups : {std::size_t{1}, std::size_t{2}, layers}) {
      if (groups > 1 && groups % plan.virtual_stages != 0) continue;
      if (groups > layers || (groups == layers && layers <= 2 && groups != 1 && groups != 2)) continue;
      Plan choice = plan;
      choice.gradient_sync = collective.name;
      choice.sync_groups = groups;
      choice.ring_orders.clear();
      choices.push_back(choice);
      choice.ring_orders = nearest_ring_orders(*problem.job, choice, problem.platform);
      choices.push_back(choice);
    }
  }
  return choices;
}

}  // namespace longhaul
