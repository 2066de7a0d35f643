#include "scheduler/uneven_climb.hpp"

#include <algorithm>

#include "scheduler/plan_space.hpp"
#include "sim/workload/rank_layout.hpp"

namespace longhaul {
namespace {

using Devices = std::vector<DeviceId>;

class UnevenChange {
 public:
  UnevenChange(const Problem& problem, Plan& plan, RandomStream& random)
      : problem_(problem), plan_(plan), random_(random), keep_(kept(problem)) {}

  bool make() {
    const std::size_t draw = random_.below(20);
    if (draw < 7) return !keep_.placement && swap_devices();
    if (draw < 9) return !keep_.placement && swap_replicas();
    if (draw < 12) return !keep_.degrees && move_layer();
    if (draw < 17) return !keep_.micro_batch && move_micro_batches();
    return !keep_.degrees && !keep_.placement && move_stage();
  }

 private:
  std::vector<PipelinePlan>& pipelines() { return plan_.pipelines; }
  std::size_t some_replica() { return random_.below(pipelines().size()); }

  bool swap_devices() {
    const std::size_t a = random_.below(plan_.rank_of_device.size());
    const std::size_t b = random_.below(plan_.rank_of_device.size());
    const Device& one = problem_.platform.device(DeviceId(a));
    const Device& other = problem_.platform.device(DeviceId(b));
    if (one.type == other.type && one.machine == other.machine && one.region == other.region) return false;
    std::swap(plan_.rank_of_device[a], plan_.rank_of_device[b]);
    return true;
  }

  bool swap_replicas() {
    const std::size_t a = some_replica();
    const std::size_t b = some_replica();
    if (a == b || pipelines()[a].ranks() != pipelines()[b].ranks()) return false;
    const RankLayout layout(plan_);
    Devices devices = plan_.device_of_rank();
    const std::size_t first = layout.rank(Replica(a), Stage(0)).value;
    const std::size_t second = layout.rank(Replica(b), Stage(0)).value;
    for (std::size_t i = 0; i < pipelines()[a].ranks(); ++i) std::swap(devices[first + i], devices[second + i]);
    put(devices);
    return true;
  }

  bool move_layer() {
    PipelinePlan& pipeline = pipelines()[some_replica()];
    const std::size_t from = random_.below(pipeline.layers.size());
    const std::size_t to = random_.below(pipeline.layers.size());
    if (from == to || pipeline.layers[from] == 1) return false;
    --pipeline.layers[from];
    ++pipeline.layers[to];
    return true;
  }

  bool move_micro_batches() {
    PipelinePlan& from = pipelines()[some_replica()];
    PipelinePlan& to = pipelines()[some_replica()];
    const std::size_t count = 1 + random_.below(3);
    if (&from == &to || from.micro_batch_size != to.micro_batch_size || from.micro_batches <= count) return false;
    from.micro_batches -= count;
    to.micro_batches += count;
    return true;
  }

  // Its layers go to a neighbour; in its new replica it takes half of the layers of the stage whose successor it becomes.
  bool move_stage() {
    const std::size_t a = some_replica();
    const std::size_t b = some_replica();
    PipelinePlan& from = pipelines()[a];
    PipelinePlan& to = pipelines()[b];
    const std::size_t stage = random_.below(from.layers.size());
    const std::size_t before = random_.below(to.layers.size());
    if (a == b || from.layers.size() == 1 || to.layers[before] == 1) return false;
    std::vector<Devices> devices = devices_by_replica();
    const std::size_t slices = from.tensor[stage];
    Devices moved;
    const auto begin = devices[a].begin() + offset(from, stage);
    moved.assign(begin, begin + static_cast<std::ptrdiff_t>(slices));
    devices[a].erase(begin, begin + static_cast<std::ptrdiff_t>(slices));
    devices[b].insert(devices[b].begin() + offset(to, before + 1), moved.begin(), moved.end());

    from.layers[stage == 0 ? 1 : stage - 1] += from.layers[stage];
    from.layers.erase(from.layers.begin() + static_cast<std::ptrdiff_t>(stage));
    from.tensor.erase(from.tensor.begin() + static_cast<std::ptrdiff_t>(stage));
    const std::size_t taken = to.layers[before] / 2;
    to.layers[before] -= taken;
    const auto place = static_cast<std::ptrdiff_t>(before) + 1;
    to.layers.insert(to.layers.begin() + place, taken);
    to.tensor.insert(to.tensor.begin() + place, slices);
    from.warm_up.clear();
    to.warm_up.clear();

    Devices all;
    for (const Devices& replica : devices) all.insert(all.end(), replica.begin(), replica.end());
    set_pipelines(plan_, std::vector<PipelinePlan>(pipelines()));
    if (pipelines().empty()) return false;  // alike now: searched elsewhere
    plan_.rank_of_device.resize(all.size());
    put(all);
    return true;
  }

  static std::ptrdiff_t offset(const PipelinePlan& pipeline, std::size_t stage) {
    std::size_t ranks = 0;
    for (std::size_t i = 0; i < stage; ++i) ranks += pipeline.tensor[i];
    return static_cast<std::ptrdiff_t>(ranks);
  }

  std::vector<Devices> devices_by_replica() {
    const Devices devices = plan_.device_of_rank();
    std::vector<Devices> result;
    auto next = devices.begin();
    for (const PipelinePlan& pipeline : pipelines()) {
      const auto end = next + static_cast<std::ptrdiff_t>(pipeline.ranks());
      result.emplace_back(next, end);
      next = end;
    }
    return result;
  }

  void put(const Devices& devices) {
    for (std::size_t rank = 0; rank < devices.size(); ++rank)
      plan_.rank_of_device[devices[rank].value] = RankId(rank);
  }

  const Problem& problem_;
  Plan& plan_;
  RandomStream& random_;
  Keep keep_;
};

}  // namespace

bool change_uneven(const Problem& problem, Plan& plan, RandomStream& random) {
  return UnevenChange(problem, plan, random).make();
}

}  // namespace longhaul
