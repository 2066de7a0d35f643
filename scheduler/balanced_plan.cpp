#include "scheduler/balanced_plan.hpp"

#include <algorithm>
#include <numeric>

#include "sim/description/cluster.hpp"
#include "sim/workload/compute_time.hpp"
#include "sim/workload/memory.hpp"
#include "sim/workload/rank_layout.hpp"

namespace longhaul {
namespace {

// What a stage takes of time for a micro-batch, and of memory, as its layers grow: first layer, and each one more.
struct Growth {
  double first = 0;
  double each = 0;
  double at(std::size_t layers) const { return first + each * static_cast<double>(layers - 1); }
};

Seconds computing(const StageTimes& times) { return times.forward + times.backward + times.weight_gradient; }

class ReplicaOfPlan {
 public:
  ReplicaOfPlan(const Job& job, const Plan& plan, const PlatformView& platform, Replica replica)
      : job_(job), platform_(platform), layout_(plan), replica_(replica), pipeline_(plan.pipeline(replica)) {
    alone_ = plan;
    set_pipelines(alone_, {pipeline_});
    alone_.degrees.data = plan.degrees.data;
    devices_ = plan.device_of_rank();
  }

  std::size_t stages() const { return pipeline_.layers.size(); }

  // On the slowest of the stage's devices.
  std::vector<Seconds> stage_seconds(const std::vector<std::size_t>& layers) const {
    const std::vector<StageLoad> loads = stage_loads(job_, layers, pipeline_.micro_batch_size);
    std::vector<Seconds> seconds(stages());
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      Plan seen = seen_by(stage);
      seen.layers_per_stage = layers;
      each_device(stage, [&](DeviceId device) {
        const StageTimes times = stage_times(job_, seen, loads[stage], Stage(stage), platform_.device(device));
        seconds[stage] = std::max(seconds[stage], computing(times));
      });
    }
    return seconds;
  }

  std::vector<Bytes> stage_bytes(const std::vector<std::size_t>& layers) const {
    std::vector<Bytes> bytes(stages());
    for (std::size_t stage = 0; stage < stages(); ++stage) {
      Plan seen = seen_by(stage);
      seen.layers_per_stage = layers;
      bytes[stage] = stage_memory(job_, seen)[stage].total();
    }
    return bytes;
  }

  // The smallest memory of a stage's devices; 0 = not known.
  Bytes stage_room(std::size_t stage) const {
    Bytes room;
    each_device(stage, [&](DeviceId device) {
      const Bytes memory = platform_.device(device).memory;
      if (memory > Bytes()) room = room > Bytes() ? std::min(room, memory) : memory;
    });
    return room;
  }

  // Of the messages from one stage to the next, the slowest.
  Path slowest_path(std::size_t stage) const {
    Path slowest{Seconds(), unlimited_bandwidth};
    each_device(stage, [&](DeviceId from) {
      each_device(stage + 1, [&](DeviceId to) {
        const Path& path = platform_.path(from, to);
        slowest.latency = std::max(slowest.latency, path.latency);
        slowest.bandwidth = std::min(slowest.bandwidth, path.bandwidth);
      });
    });
    return slowest;
  }

  const PipelinePlan& pipeline() const { return pipeline_; }

 private:
  template <class Visit>
  void each_device(std::size_t stage, Visit visit) const {
    for (std::size_t slice = 0; slice < layout_.slices(replica_, Stage(stage)); ++slice)
      visit(devices_[layout_.rank(replica_, Stage(stage), slice).value]);
  }

  Plan seen_by(std::size_t stage) const {
    Plan seen = alone_;
    seen.pipelines.clear();
    seen.degrees.tensor = pipeline_.tensor[stage];
    return seen;
  }

  const Job& job_;
  const PlatformView& platform_;
  RankLayout layout_;
  Replica replica_;
  PipelinePlan pipeline_;
  Plan alone_;
  std::vector<DeviceId> devices_;
};

std::vector<Growth> growths(const std::vector<double>& one, const std::vector<double>& two) {
  std::vector<Growth> result;
  for (std::size_t i = 0; i < one.size(); ++i) result.push_back({one[i], two[i] - one[i]});
  return result;
}

template <class Unit>
std::vector<double> values(const std::vector<Unit>& quantities) {
  std::vector<double> result;
  for (const Unit quantity : quantities) result.push_back(quantity.value);
  return result;
}

// The stage takes time and memory that grow by the layer, so that giving one layer at a time to whoever is done with it first
// ends with the least slowest stage.
std::vector<std::size_t> balanced_layers(const ReplicaOfPlan& replica) {
  const std::vector<std::size_t> ones(replica.stages(), 1);
  const std::vector<std::size_t> twos(replica.stages(), 2);
  const std::vector<Growth> seconds =
      growths(values(replica.stage_seconds(ones)), values(replica.stage_seconds(twos)));
  const std::vector<Growth> bytes = growths(values(replica.stage_bytes(ones)), values(replica.stage_bytes(twos)));
  const auto& before = replica.pipeline().layers;
  std::size_t left = std::accumulate(before.begin(), before.end(), std::size_t{0}) - replica.stages();
  std::vector<std::size_t> layers = ones;
  for (; left > 0; --left) {
    std::size_t best = replica.stages();
    for (std::size_t stage = 0; stage < replica.stages(); ++stage) {
      const Bytes room = replica.stage_room(stage);
      if (room > Bytes() && bytes[stage].at(layers[stage] + 1) > room.value) continue;
      if (best == replica.stages() || seconds[stage].at(layers[stage] + 1) < seconds[best].at(layers[best] + 1))
        best = stage;
    }
    if (best == replica.stages()) return before;  // it fits no way
    ++layers[best];
  }
  return layers;
}

std::vector<PipelinePlan> pipelines_of(const Plan& plan) {
  std::vector<PipelinePlan> pipelines;
  for (std::size_t replica = 0; replica < plan.degrees.data; ++replica)
    pipelines.push_back(plan.pipeline(Replica(replica)));
  return pipelines;
}

bool same_sizes(const std::vector<PipelinePlan>& pipelines) {
  return std::all_of(pipelines.begin(), pipelines.end(), [&](const PipelinePlan& pipeline) {
    return pipeline.micro_batch_size == pipelines.front().micro_batch_size;
  });
}

// One unit after the other to whoever would then be done first; everyone has at least one.
template <class SecondsOf>
std::vector<std::size_t> shared_out(std::size_t replicas, std::size_t units, SecondsOf seconds_of) {
  std::vector<std::size_t> counts(replicas, 1);
  std::vector<Seconds> next;
  for (std::size_t replica = 0; replica < replicas; ++replica) next.push_back(seconds_of(replica, 2));
  for (std::size_t left = units - replicas; left > 0; --left) {
    const auto first = static_cast<std::size_t>(std::min_element(next.begin(), next.end()) - next.begin());
    ++counts[first];
    next[first] = seconds_of(first, counts[first] + 1);
  }
  return counts;
}

Plan with_micro_batches_balanced(const Job& job, const Plan& plan, const PlatformView& platform) {
  std::vector<PipelinePlan> pipelines = pipelines_of(plan);
  if (!same_sizes(pipelines)) return plan;
  std::vector<ReplicaPace> paces;
  std::size_t all = 0;
  for (std::size_t replica = 0; replica < pipelines.size(); ++replica) {
    paces.push_back(pace_of(job, plan, platform, Replica(replica)));
    all += pipelines[replica].micro_batches;
  }
  const std::vector<std::size_t> counts = shared_out(
      pipelines.size(), all, [&](std::size_t replica, std::size_t count) { return paces[replica].of(count); });
  for (std::size_t replica = 0; replica < pipelines.size(); ++replica)
    pipelines[replica].micro_batches = counts[replica];
  return with_pipelines(plan, pipelines);
}

Plan with_sizes_balanced(const Job& job, const Plan& plan, const PlatformView& platform) {
  std::vector<PipelinePlan> pipelines = pipelines_of(plan);
  std::size_t all = 0;
  for (const PipelinePlan& pipeline : pipelines) all += pipeline.micro_batch_size;
  const auto seconds_of = [&](std::size_t replica, std::size_t size) {
    std::vector<PipelinePlan> sized = pipelines;
    sized[replica].micro_batch_size = size;
    return pace_of(job, with_pipelines(plan, sized), platform, Replica(replica)).micro_batch;
  };
  const std::vector<std::size_t> sizes = shared_out(pipelines.size(), all, seconds_of);
  for (std::size_t replica = 0; replica < pipelines.size(); ++replica)
    pipelines[replica].micro_batch_size = sizes[replica];
  return with_pipelines(plan, pipelines);
}

Plan with_layers_balanced(const Job& job, const Plan& plan, const PlatformView& platform) {
  std::vector<PipelinePlan> pipelines = pipelines_of(plan);
  for (std::size_t replica = 0; replica < pipelines.size(); ++replica)
    pipelines[replica].layers = balanced_layers(ReplicaOfPlan(job, plan, platform, Replica(replica)));
  return with_pipelines(plan, pipelines);
}

}  // namespace

Plan with_pipelines(const Plan& plan, const std::vector<PipelinePlan>& pipelines) {
  Plan changed = plan;
  set_pipelines(changed, pipelines);
  changed.rank_of_device = plan.rank_of_device;
  return changed;
}

ReplicaPace pace_of(const Job& job, const Plan& plan, const PlatformView& platform, Replica replica) {
  const ReplicaOfPlan one(job, plan, platform, replica);
  const PipelinePlan& pipeline = one.pipeline();
  const Bytes activation = stage_loads(job, pipeline.layers, pipeline.micro_batch_size).front().activation;
  ReplicaPace pace;
  for (const Seconds stage : one.stage_seconds(pipeline.layers)) {
    pace.fill += stage;
    pace.micro_batch = std::max(pace.micro_batch, stage);
  }
  for (std::size_t stage = 0; stage + 1 < pipeline.layers.size(); ++stage) {
    const Path path = one.slowest_path(stage);
    const std::size_t slices = std::max(pipeline.tensor[stage], pipeline.tensor[stage + 1]);
    const Seconds message = activation / static_cast<double>(slices) / path.bandwidth;
    pace.fill += (path.latency + message) * 2;
    pace.micro_batch = std::max(pace.micro_batch, message);
  }
  pace.fill -= pace.micro_batch;
  return pace;
}

Plan balanced(const Job& job, const Plan& plan, const PlatformView& platform, const Balance& balance) {
  if (plan.virtual_stages > 1 || plan.expert > 1 || plan.degrees.context > 1) return plan;
  Plan result = plan;
  if (balance.layers && plan.degrees.pipeline > 1) result = with_layers_balanced(job, result, platform);
  if (!balance.micro_batches || plan.degrees.data == 1) return result;
  return plan.zero >= 2 ? with_sizes_balanced(job, result, platform)
                        : with_micro_batches_balanced(job, result, platform);
}

}  // namespace longhaul
