#include "sim/results/memory_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/results/timeline_files.hpp"
#include "sim/workload/rank_layout.hpp"
#include "sim/workload/schedule.hpp"
#include "sim/workload/stage_part.hpp"

namespace longhaul {
namespace {

constexpr std::size_t most_lines = 1000;  // of a stage

// When the steps of one chunk with one micro-batch ran.
struct Stay {
  Seconds forward{-1};  // start
  Seconds backward_start{-1};
  Seconds backward;
  Seconds weight_gradient{-1};  // end, where backward is split
};

using Stays = std::map<std::pair<std::uint32_t, std::uint32_t>, Stay>;  // by micro-batch and chunk

void note(const Tasklet& task, const Span& span, Stays& stays) {
  const bool forward = task.kind == TaskletKind::forward;
  const bool backward = task.kind == TaskletKind::backward;
  if (!forward && !backward && task.kind != TaskletKind::weight_gradient) return;
  Stay& stay = stays[{task.micro_batch.value, task.chunk}];
  const auto earlier = [&span](Seconds known) {
    return known < Seconds() ? span.start : std::min(known, span.start);
  };
  if (forward) stay.forward = earlier(stay.forward);
  if (backward) stay.backward_start = earlier(stay.backward_start);
  if (backward) stay.backward = std::max(stay.backward, span.finish);
  if (!forward && !backward) stay.weight_gradient = std::max(stay.weight_gradient, span.finish);
}

struct Change {
  Seconds time;
  Bytes activations, working_set, logits;
};

// What a rank of a stage takes and gives back.
class Changes {
 public:
  Changes(const Job& job, const Plan& seen, const StageMemory& estimate)
      : estimate_(estimate),
        activations_(stage_activations(job, seen, estimate.stage)),
        layers_(static_cast<double>(seen.layers_per_stage[estimate.stage.value])),
        chunks_(parts_of_stage(job, seen, estimate.stage)) {}

  std::vector<Change> of(const Stays& stays) const {
    std::vector<Change> changes;
    for (const auto& [key, stay] : stays) {
      const double share = static_cast<double>(chunks_[key.second].layers) / layers_;
      const Bytes embedding = key.second == 0 ? activations_.embedding : Bytes();
      const Bytes kept = activations_.kept * share + embedding;
      const Bytes logits = key.second + 1 == chunks_.size() ? estimate_.logits : Bytes();
      changes.push_back({stay.forward, kept, {}, logits});
      changes.push_back({stay.backward_start, {}, estimate_.working_set, {}});
      const bool split = stay.weight_gradient > Seconds();
      const Bytes whole = split ? activations_.whole * share + embedding : Bytes();
      changes.push_back({stay.backward, whole - kept, Bytes() - estimate_.working_set, Bytes() - logits});
      if (split) changes.push_back({stay.weight_gradient, Bytes() - whole, {}, {}});
    }
    // What is given back at a moment is free for what is taken then.
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
      return std::pair(a.time.value, a.activations.value + a.working_set.value) <
             std::pair(b.time.value, b.activations.value + b.working_set.value);
    });
    return changes;
  }

 private:
  const StageMemory& estimate_;
  StageActivations activations_;
  double layers_;
  std::vector<StagePart> chunks_;
};

// Moments of a rank. Rounding must not leave less than nothing, and the estimate bounds what a moment holds of a part: offloaded
// activations, logits of one micro-batch.
std::vector<DeviceMemory::Moment> moments_of(const std::vector<Change>& changes, const StageMemory& estimate) {
  const Bytes always = estimate.parameters + estimate.gradients + estimate.optimizer + estimate.messages;
  const Bytes all = estimate.total() - estimate.runtime - estimate.fragmentation;
  const double share = all > Bytes() ? estimate.fragmentation / all : 0;
  std::vector<DeviceMemory::Moment> moments{{Seconds(), {}, {}, {}, always * share}};
  Change held{};
  for (const Change& change : changes) {
    held.activations += change.activations;
    held.working_set += change.working_set;
    held.logits += change.logits;
    const auto within = [](Bytes amount, Bytes most) { return std::clamp(amount, Bytes(), most); };
    DeviceMemory::Moment moment{change.time,
                                within(held.activations, estimate.activations),
                                within(held.working_set, estimate.working_set),
                                within(held.logits, estimate.logits),
                                {}};
    moment.fragmentation = (always + moment.activations + moment.working_set + moment.logits) * share;
    if (moments.back().time == change.time)
      moments.back() = moment;
    else
      moments.push_back(moment);
  }
  return moments;
}

// The fullest of each slot of the iteration, and the first.
std::vector<DeviceMemory::Moment> thinned(const DeviceMemory& stage) {
  const std::vector<DeviceMemory::Moment>& all = stage.moments;
  if (all.size() <= most_lines) return all;
  std::vector<DeviceMemory::Moment> few{all.front()};
  const double slot = all.back().time.value / static_cast<double>(most_lines - 2);
  double current = -1;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const double number = std::floor(all[i].time.value / slot);
    if (number > current)
      few.push_back(all[i]);
    else if (stage.total(all[i]) > stage.total(few.back()))
      few.back() = all[i];
    current = number;
  }
  return few;
}

}  // namespace

Bytes DeviceMemory::total(const Moment& moment) const {
  return estimate.parameters + estimate.gradients + estimate.optimizer + estimate.messages + moment.activations +
         moment.working_set + moment.logits + moment.fragmentation + estimate.runtime;
}

Bytes DeviceMemory::peak() const {
  Bytes most;
  for (const Moment& moment : moments) most = std::max(most, total(moment));
  return most;
}

std::vector<DeviceMemory> memory_timeline(const Job& job, const Plan& plan, const TaskletGraph& graph,
                                          const Timeline& timeline) {
  const RankLayout layout(plan);
  const StagePlans plans(plan, layout);
  const std::vector<DeviceId> devices = plan.device_of_rank();
  std::vector<Stays> stays(layout.ranks());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Tasklet& task = graph.tasklet(TaskletId(i));
    note(task, timeline.spans[i], stays[task.rank.value]);
  }
  std::vector<DeviceMemory> stages;
  for (const StageMemory& estimate : stage_memory(job, plan)) stages.push_back({estimate, DeviceId(0), {}});
  std::vector<Bytes> peaks(stages.size());
  for (std::size_t rank = 0; rank < layout.ranks(); ++rank) {
    if (layout.slice(RankId(rank)) > 0) continue;  // slices hold the same
    const std::size_t cell = layout.cell(RankId(rank));
    const std::size_t number = plan.has_equal_replicas() ? layout.stage(RankId(rank)).value : cell;
    DeviceMemory candidate{stages[number].estimate, devices[rank], {}};
    candidate.moments =
        moments_of(Changes(job, plans.of_cell(cell), candidate.estimate).of(stays[rank]), candidate.estimate);
    const Bytes peak = candidate.peak();
    if (!stages[number].moments.empty() && peak <= peaks[number]) continue;
    peaks[number] = peak;
    stages[number] = std::move(candidate);
  }
  return stages;
}

std::string memory_csv(const std::vector<DeviceMemory>& stages, const PlatformView& platform) {
  std::string out =
      "time_s,stage,replica,device,parameters,gradients,optimizer,messages,runtime,activations,working_set,logits,"
      "fragmentation,total_bytes\n";
  for (const DeviceMemory& stage : stages) {
    const StageMemory& estimate = stage.estimate;
    const std::string who =
        fmt::format("{},{},{}", estimate.stage.value, estimate.replica ? std::to_string(estimate.replica->value) : "",
                    csv_field(platform.device(stage.device).name));
    const std::string always =
        fmt::format("{:.0f},{:.0f},{:.0f},{:.0f},{:.0f}", estimate.parameters.value, estimate.gradients.value,
                    estimate.optimizer.value, estimate.messages.value, estimate.runtime.value);
    for (const DeviceMemory::Moment& moment : thinned(stage))
      fmt::format_to(std::back_inserter(out), "{:.9f},{},{},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f}\n", moment.time.value,
                     who, always, moment.activations.value, moment.working_set.value, moment.logits.value,
                     moment.fragmentation.value, stage.total(moment).value);
  }
  return out;
}

}  // namespace longhaul
