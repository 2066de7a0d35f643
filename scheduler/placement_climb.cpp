#include "scheduler/placement_climb.hpp"

#include <algorithm>
#include <utility>

#include "scheduler/plan_space.hpp"
#include "scheduler/uneven_climb.hpp"
#include "sim/workload/ring_order.hpp"

namespace longhaul {
namespace {

constexpr double first_threshold = 0.01;

class Climb {
 public:
  Climb(const Problem& problem, const TriedPlan& start, RandomStream& random)
      : problem_(problem), random_(random), degrees_(start.plan.degrees) {
    const std::vector<Device>& devices = problem.platform.devices();
    for (const Device& device : devices) {
      const auto found = std::find(regions_.begin(), regions_.end(), device.region);
      members_.resize(std::max<std::size_t>(members_.size(), static_cast<std::size_t>(found - regions_.begin()) + 1));
      members_[static_cast<std::size_t>(found - regions_.begin())].push_back(
          static_cast<std::size_t>(&device - devices.data()));
      if (found == regions_.end()) regions_.push_back(device.region);
    }
    move_layers_ = !kept(problem).degrees && degrees_.pipeline > 1;
  }

  // A change of the plan; false if it would change nothing.
  bool change(Plan& plan) {
    const bool placement = !kept(problem_).placement;
    const std::size_t draw = random_.below(placement ? 20 : 1);
    if (draw == 0) return move_layers_ && move_layer(plan);
    if (draw <= 3) return swap_stages(plan);
    if (draw <= 5) return swap_regions(plan);
    if (draw <= 9) return swap_tails(plan);
    return swap_ranks(plan);
  }

 private:
  using Devices = std::vector<DeviceId>;

  void put(Plan& plan, const Devices& devices) const {
    for (std::size_t rank = 0; rank < devices.size(); ++rank) plan.rank_of_device[devices[rank].value] = RankId(rank);
  }

  bool alike(DeviceId a, DeviceId b) const {
    const Device &one = problem_.platform.device(a), &other = problem_.platform.device(b);
    return one.region == other.region && one.type == other.type && one.machine == other.machine;
  }

  bool swap_ranks(Plan& plan) {
    const std::size_t a = random_.below(plan.rank_of_device.size());
    const std::size_t b = random_.below(plan.rank_of_device.size());
    if (a == b || alike(DeviceId(a), DeviceId(b))) return false;
    std::swap(plan.rank_of_device[a], plan.rank_of_device[b]);
    return true;
  }

  bool swap_stages(Plan& plan) {
    if (degrees_.pipeline == 1) return false;
    const Stage a(random_.below(degrees_.pipeline)), b(random_.below(degrees_.pipeline));
    if (a == b) return false;
    Devices devices = plan.device_of_rank();
    for (std::size_t replica = 0; replica < degrees_.data; ++replica)
      for (std::size_t member = 0; member < degrees_.ranks_of_stage(); ++member)
        std::swap(devices[degrees_.rank(Replica(replica), a, member).value],
                  devices[degrees_.rank(Replica(replica), b, member).value]);
    put(plan, devices);
    return true;
  }

  // Two replicas change places from some stage on.
  bool swap_tails(Plan& plan) {
    if (degrees_.data == 1) return false;
    const Replica a(random_.below(degrees_.data)), b(random_.below(degrees_.data));
    if (a == b) return false;
    Devices devices = plan.device_of_rank();
    for (std::size_t stage = random_.below(degrees_.pipeline); stage < degrees_.pipeline; ++stage)
      for (std::size_t member = 0; member < degrees_.ranks_of_stage(); ++member)
        std::swap(devices[degrees_.rank(a, Stage(stage), member).value],
                  devices[degrees_.rank(b, Stage(stage), member).value]);
    put(plan, devices);
    return true;
  }

  bool swap_regions(Plan& plan) {
    const std::size_t a = random_.below(regions_.size()), b = random_.below(regions_.size());
    if (a == b) return false;
    const std::size_t count = std::min(members_[a].size(), members_[b].size());
    for (std::size_t i = 0; i < count; ++i)
      std::swap(plan.rank_of_device[members_[a][i]], plan.rank_of_device[members_[b][i]]);
    return true;
  }

  bool move_layer(Plan& plan) {
    const std::size_t from = random_.below(degrees_.pipeline), to = random_.below(degrees_.pipeline);
    if (from == to || plan.layers_per_stage[from] == plan.virtual_stages) return false;
    --plan.layers_per_stage[from];
    ++plan.layers_per_stage[to];
    return true;
  }

  const Problem& problem_;
  RandomStream& random_;
  Degrees degrees_;
  std::vector<std::string> regions_;
  std::vector<std::vector<std::size_t>> members_;  // devices of each region
  bool move_layers_ = false;
};

void renew_orders(const Problem& problem, Plan& plan) {
  if (!plan.ring_orders.empty()) plan.ring_orders = nearest_ring_orders(*problem.job, plan, problem.platform);
}

}  // namespace

TriedPlan climb(const Problem& problem, const TriedPlan& start, std::size_t steps, PlanTrials& trials,
                RandomStream& random) {
  Climb changes(problem, start, random);
  TriedPlan best = start;
  TriedPlan current = start;
  for (std::size_t step = 0; step < steps && !trials.exhausted(); ++step) {
    Plan changed = current.plan;
    const bool differs =
        changed.pipelines.empty() ? changes.change(changed) : change_uneven(problem, changed, random);
    if (!differs) continue;
    renew_orders(problem, changed);
    const auto seconds = trials.estimate(changed);
    const double threshold = first_threshold * (1 - static_cast<double>(step) / static_cast<double>(steps));
    if (!seconds || *seconds > current.seconds * (1 + threshold)) continue;
    current = {std::move(changed), *seconds};
    if (current.seconds < best.seconds) best = current;
  }
  return best;
}

TriedPlan best_of_all_placements(const Problem& problem, const TriedPlan& start, PlanTrials& trials) {
  TriedPlan best = start;
  Plan plan = start.plan;
  std::sort(plan.rank_of_device.begin(), plan.rank_of_device.end());
  do {
    renew_orders(problem, plan);
    const auto seconds = trials.estimate(plan);
    if (seconds && *seconds < best.seconds) best = {plan, *seconds};
  } while (std::next_permutation(plan.rank_of_device.begin(), plan.rank_of_device.end()));
  return best;
}

}  // namespace longhaul
