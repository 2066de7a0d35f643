#include "scheduler/layout_annealing.hpp"

#include <cmath>
#include <utility>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

double fourth_power(double x) { return x * x * (x * x); }

double fourth_root(double x) { return std::sqrt(std::sqrt(x)); }  // unlike pow, the same to the last bit everywhere

}  // namespace

LayoutAnnealing::LayoutAnnealing(const CostMatrices& matrices, const Degrees& degrees)
    : matrices_(matrices),
      degrees_(degrees),
      pipeline_power_(matrices.pipeline),
      device_at_(matrices.size),
      load_(matrices.size),
      stage_power_(degrees.pipeline),
      hop_mean_(degrees.pipeline - 1) {
  require(degrees.ranks() == matrices.size, "a layout needs one rank per device");
  for (double& edge : pipeline_power_) edge = fourth_power(edge);
}

std::vector<RankId> LayoutAnnealing::improve(const std::vector<RankId>& layout, std::size_t steps, double heat,
                                             RandomStream& random) {
  load(layout);
  double current = total();
  double best = current;
  std::vector<std::uint32_t> best_devices = device_at_;
  const double first_threshold = heat * current;
  const std::size_t positions = matrices_.size;
  for (std::size_t step = 0; step < steps && positions > 1; ++step) {
    const double threshold = first_threshold * static_cast<double>(steps - step) / static_cast<double>(steps);
    const std::size_t first = random.below(positions);
    const std::size_t other = random.below(positions - 1);
    const std::size_t second = other < first ? other : other + 1;
    swap_positions(first, second);
    const double swapped = total();
    if (swapped - current >= threshold) {
      swap_positions(first, second);
      continue;
    }
    current = swapped;
    if (current < best) best = current, best_devices = device_at_;
  }

  std::vector<RankId> improved(positions);
  for (std::size_t position = 0; position < positions; ++position)
    improved[best_devices[position]] =
        degrees_.rank(Replica(position % degrees_.data), Stage(position / degrees_.data));
  return improved;
}

double LayoutAnnealing::smoothed_cost(const std::vector<RankId>& layout) {
  load(layout);
  return total();
}

void LayoutAnnealing::load(const std::vector<RankId>& layout) {
  require(layout.size() == matrices_.size, "a layout needs one rank per device");
  for (std::size_t device = 0; device < layout.size(); ++device) {
    const std::size_t stage = degrees_.stage(layout[device]).value;
    device_at_[stage * degrees_.data + degrees_.replica(layout[device]).value] = static_cast<std::uint32_t>(device);
  }
  for (std::size_t stage = 0; stage < degrees_.pipeline; ++stage) {
    const std::uint32_t* group = device_at_.data() + stage * degrees_.data;
    for (std::size_t i = 0; i < degrees_.data; ++i) {
      load_[group[i]] = 0;
      for (std::size_t j = 0; j < degrees_.data; ++j)
        load_[group[i]] += matrices_.data_parallel_edge(group[i], group[j]);
    }
    sum_stage(stage);
  }
  for (std::size_t hop = 0; hop < hop_mean_.size(); ++hop) sum_hop(hop);
}

double LayoutAnnealing::total() const {
  double load_power = 0;
  for (const double power : stage_power_) load_power += power;
  double cost = fourth_root(load_power / static_cast<double>(matrices_.size));
  for (const double mean : hop_mean_) cost += mean;
  return cost;
}

void LayoutAnnealing::swap_positions(std::size_t first, std::size_t second) {
  const std::size_t stage = first / degrees_.data;
  const std::size_t other_stage = second / degrees_.data;
  const std::uint32_t device = device_at_[first];
  const std::uint32_t other_device = device_at_[second];
  if (stage != other_stage) {
    move_load(stage, device, other_device);
    move_load(other_stage, other_device, device);
  }
  std::swap(device_at_[first], device_at_[second]);
  if (stage != other_stage) {
    sum_stage(stage);
    sum_stage(other_stage);
    sum_around(other_stage);
  }
  sum_around(stage);
}

// Before the swap: the loads of the stage as they will be with `arriving` in the place of `leaving`.
void LayoutAnnealing::move_load(std::size_t stage, std::uint32_t leaving, std::uint32_t arriving) {
  const std::uint32_t* group = device_at_.data() + stage * degrees_.data;
  const double* without = matrices_.data_parallel.data() + leaving * matrices_.size;
  const double* with = matrices_.data_parallel.data() + arriving * matrices_.size;
  double load = 0;
  for (std::size_t i = 0; i < degrees_.data; ++i) {
    if (group[i] == leaving) continue;
    load_[group[i]] += with[group[i]] - without[group[i]];
    load += with[group[i]];
  }
  load_[arriving] = load;
}

void LayoutAnnealing::sum_stage(std::size_t stage) {
  const std::uint32_t* group = device_at_.data() + stage * degrees_.data;
  double sum = 0;
  for (std::size_t i = 0; i < degrees_.data; ++i) sum += fourth_power(load_[group[i]]);
  stage_power_[stage] = sum;
}

void LayoutAnnealing::sum_hop(std::size_t hop) {
  const std::uint32_t* here = device_at_.data() + hop * degrees_.data;
  const std::uint32_t* next = here + degrees_.data;
  double sum = 0;
  for (std::size_t i = 0; i < degrees_.data; ++i) sum += pipeline_power_[here[i] * matrices_.size + next[i]];
  hop_mean_[hop] = fourth_root(sum / static_cast<double>(degrees_.data));
}

void LayoutAnnealing::sum_around(std::size_t stage) {
  if (stage > 0) sum_hop(stage - 1);
  if (stage < hop_mean_.size()) sum_hop(stage);
}

}  // namespace longhaul
