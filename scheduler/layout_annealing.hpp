// Improves a layout by swapping devices under a smoothed cost, where the true one is flat.
#pragma once

#include <vector>

#include "scheduler/cost_model.hpp"
#include "sim/base/random.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// DT-FM's cost of a layout is a maximum over stages plus a sum of maxima over pipelines: as long as one slow pair is
/// left on a hop, mending the others changes nothing, so no search on the cost itself can tell that it is getting
/// nearer. Here each maximum is a power mean of order 4 (mean of x^4)^(1/4), which falls with every pair mended, and
/// faster the fewer slow pairs are left on the hop:
///   M4 over devices of (sum over the rest of its group of the data-parallel edge)
///   + sum over hops of M4 over pipelines of the pipeline edge.
/// Threshold accepting (Dueck and Scheuer 1990): a swap of two random devices is kept when it raises the smoothed
/// cost by less than a threshold that falls linearly to 0.
class LayoutAnnealing {
 public:
  /// `matrices` must outlive this object.
  LayoutAnnealing(const CostMatrices& matrices, const Degrees& degrees);

  /// The best layout by the smoothed cost that `steps` swaps lead to; a layout is the rank of each device. The
  /// threshold starts at `heat` times the smoothed cost of `layout`.
  std::vector<RankId> improve(const std::vector<RankId>& layout, std::size_t steps, double heat,
                              RandomStream& random);

  /// The smoothed cost of a layout, seconds.
  double smoothed_cost(const std::vector<RankId>& layout);

 private:
  void load(const std::vector<RankId>& layout);
  double total() const;
  void swap_positions(std::size_t first, std::size_t second);
  void move_load(std::size_t stage, std::uint32_t leaving, std::uint32_t arriving);
  void sum_stage(std::size_t stage);
  void sum_hop(std::size_t hop);
  void sum_around(std::size_t stage);

  const CostMatrices& matrices_;
  Degrees degrees_;
  std::vector<double> pipeline_power_;    // x^4 of the pipeline edges, devices x devices
  std::vector<std::uint32_t> device_at_;  // position = stage * degrees.data + replica
  std::vector<double> load_;              // per device: its data-parallel load, seconds
  std::vector<double> stage_power_;       // per stage: sum of load^4
  std::vector<double> hop_mean_;          // per hop: M4 of its pipeline edges
};

}  // namespace longhaul
