#include "scheduler/uneven_plans.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "scheduler/balanced_plan.hpp"
#include "scheduler/plan_space.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/memory.hpp"

namespace longhaul {
namespace {

constexpr std::size_t shapes_per_pool = 3;
constexpr std::size_t most_combinations = 81;
constexpr std::size_t largest_micro_batch = 8;
constexpr std::size_t most_plans = 48;

using Pool = std::vector<DeviceId>;

// Devices that share a name, pools in the order of their first device.
template <class NameOf>
std::vector<Pool> pools_by(const PlatformView& platform, NameOf name_of) {
  std::vector<Pool> pools;
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < platform.size(); ++i) {
    const std::size_t pool = numbers.emplace(name_of(platform.device(DeviceId(i))), pools.size()).first->second;
    if (pool == pools.size()) pools.emplace_back();
    pools[pool].emplace_back(i);
  }
  return pools;
}

std::vector<std::vector<Pool>> divisions_of(const PlatformView& platform) {
  std::vector<std::vector<Pool>> divisions{
      pools_by(platform, [](const Device& device) { return device.region + "\n" + device.type; }),
      pools_by(platform, [](const Device& device) { return device.type; }),
      pools_by(platform, [](const Device& device) { return device.region; })};
  std::vector<std::vector<Pool>> different;
  for (auto& division : divisions)
    if (std::find(different.begin(), different.end(), division) == different.end())
      different.push_back(std::move(division));
  return different;
}

// How a pool is cut: into pipelines of so many stages of so many slices.
struct PoolShape {
  std::size_t stages = 1;
  std::size_t slices = 1;
  double sequences_per_second = 0;  // of the whole pool, computing alone
};

class UnevenPlans {
 public:
  UnevenPlans(const Problem& problem, const PlanTrials& trials)
      : problem_(problem), trials_(trials), sequences_(samples_per_iteration(problem.fixed)) {}

  std::vector<Plan> build() {
    for (const std::vector<Pool>& pools : divisions_of(problem_.platform))
      for (std::size_t size = 1; size <= largest_micro_batch; size *= 2)
        if (sequences_ % size == 0) add_plans(pools, size);
    std::stable_sort(plans_.begin(), plans_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Plan> best;
    for (auto& [seconds, plan] : plans_)
      if (best.size() < most_plans && std::find(best.begin(), best.end(), plan) == best.end())
        best.push_back(std::move(plan));
    return best;
  }

 private:
  void add_plans(const std::vector<Pool>& pools, std::size_t size) {
    std::vector<std::vector<PoolShape>> shapes;
    std::size_t combinations = 1;
    for (const Pool& pool : pools) {
      shapes.push_back(shapes_of(pool, size));
      if (shapes.back().empty()) return;
      combinations = std::min(combinations * shapes.back().size(), most_combinations);
    }
    for (std::size_t number = 0; number < combinations; ++number) {
      std::size_t digits = number;
      std::vector<PoolShape> chosen;
      for (const auto& choices : shapes) {
        chosen.push_back(choices[digits % choices.size()]);
        digits /= choices.size();
      }
      add_plan(pools, chosen, size);
    }
  }

  // The few with the most sequences per second.
  std::vector<PoolShape> shapes_of(const Pool& pool, std::size_t size) const {
    std::vector<PoolShape> shapes;
    const auto layers = static_cast<std::size_t>(problem_.job->model.layers);
    for (const std::size_t slices : tensor_degrees(pool))
      for (std::size_t stages = 1; stages <= std::min(layers, pool.size() / slices); ++stages) {
        if (pool.size() % (stages * slices) != 0) continue;
        const Plan plan = plan_of({pool}, {{stages, slices, 0}}, size, 2 * pool.size());
        if (!may_fit(plan, pool)) continue;
        const Seconds each = pace_of(*problem_.job, plan, problem_.platform, Replica(0)).micro_batch;
        shapes.push_back(
            {stages, slices, static_cast<double>(size * plan.degrees.data) / std::max(each.value, 1e-12)});
      }
    std::stable_sort(shapes.begin(), shapes.end(), [](const PoolShape& a, const PoolShape& b) {
      return a.sequences_per_second > b.sequences_per_second;
    });
    shapes.resize(std::min(shapes.size(), shapes_per_pool));
    return shapes;
  }

  // The scenario's, and 1; slices of a stage stand on one machine.
  std::vector<std::size_t> tensor_degrees(const Pool& pool) const {
    std::set<std::size_t> degrees{1, problem_.fixed.degrees.tensor};
    std::vector<std::size_t> possible;
    for (const std::size_t degree : degrees) {
      bool together = pool.size() % degree == 0;
      for (std::size_t i = 0; together && i < pool.size(); ++i)
        together = problem_.platform.same_machine(pool[i], pool[i / degree * degree]);
      if (together) possible.push_back(degree);
    }
    return possible;
  }

  // Replicas on consecutive devices of their pools, everything shared out by speed. Devices of
  // no pool have ranks beyond the plan's.
  Plan plan_of(const std::vector<Pool>& pools, const std::vector<PoolShape>& shapes, std::size_t size,
               std::size_t micro_batches) const {
    std::vector<PipelinePlan> pipelines;
    std::vector<DeviceId> devices;
    const auto layers = static_cast<std::size_t>(problem_.job->model.layers);
    for (std::size_t pool = 0; pool < pools.size(); ++pool) {
      PipelinePlan pipeline;
      pipeline.layers = even_layers(layers, shapes[pool].stages);
      pipeline.tensor.assign(shapes[pool].stages, shapes[pool].slices);
      pipeline.micro_batch_size = size;
      pipelines.insert(pipelines.end(), pools[pool].size() / pipeline.ranks(), pipeline);
      devices.insert(devices.end(), pools[pool].begin(), pools[pool].end());
    }
    for (std::size_t i = 0; i < pipelines.size(); ++i)
      pipelines[i].micro_batches = micro_batches / pipelines.size() + (i < micro_batches % pipelines.size() ? 1 : 0);
    Plan plan = problem_.fixed;
    plan.passes = 1;
    plan.warm_up.clear();
    plan.shards.clear();
    plan.phase_barrier = false;
    plan.synchronous_transfers = false;
    plan.virtual_stages = 1;
    if (!kept(problem_).runtime) plan.schedule = "1f1b";
    set_pipelines(plan, pipelines);
    const std::set<DeviceId> used(devices.begin(), devices.end());
    for (std::size_t i = 0; i < problem_.platform.size(); ++i)
      if (used.count(DeviceId(i)) == 0) devices.emplace_back(i);
    plan.rank_of_device.assign(devices.size(), RankId(0));
    for (std::size_t rank = 0; rank < devices.size(); ++rank) plan.rank_of_device[devices[rank].value] = RankId(rank);
    return balanced(*problem_.job, plan, problem_.platform, {true, true});
  }

  // Whether no stage needs more than the largest device of the pool has.
  bool may_fit(const Plan& plan, const Pool& pool) const {
    Bytes room;
    for (const DeviceId device : pool) room = std::max(room, problem_.platform.device(device).memory);
    const std::vector<StageMemory> stages = stage_memory(*problem_.job, plan);
    return room == Bytes() ||
           std::all_of(stages.begin(), stages.end(), [&](const StageMemory& stage) { return stage.total() <= room; });
  }

  void add_plan(const std::vector<Pool>& pools, const std::vector<PoolShape>& shapes, std::size_t size) {
    std::size_t replicas = 0;
    for (std::size_t pool = 0; pool < pools.size(); ++pool)
      replicas += pools[pool].size() / shapes[pool].stages / shapes[pool].slices;
    if (sequences_ / size < replicas) return;
    Plan plan = plan_of(pools, shapes, size, sequences_ / size);
    if (!trials_.fits(plan)) return;
    Seconds slowest;
    for (std::size_t replica = 0; replica < plan.degrees.data; ++replica) {
      const std::size_t count = plan.pipeline(Replica(replica)).micro_batches;
      slowest = std::max(slowest, pace_of(*problem_.job, plan, problem_.platform, Replica(replica)).of(count));
    }
    plans_.emplace_back(slowest, std::move(plan));
  }

  const Problem& problem_;
  const PlanTrials& trials_;
  std::size_t sequences_;
  std::vector<std::pair<Seconds, Plan>> plans_;  // with their computing time
};

}  // namespace

std::vector<Plan> uneven_plans(const Problem& problem, const PlanTrials& trials) {
  const std::vector<Device>& devices = problem.platform.devices();
  const bool one_type = std::all_of(devices.begin(), devices.end(),
                                    [&](const Device& device) { return device.type == devices.front().type; });
  const Keep keep = kept(problem);
  if (one_type || keep.degrees || keep.micro_batch || keep.placement || problem.fixed.zero > 1 ||
      problem.fixed.degrees.context > 1)
    return {};
  return UnevenPlans(problem, trials).build();
}

}  // namespace longhaul
