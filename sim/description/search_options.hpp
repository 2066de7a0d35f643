// Settings of the searching schedulers; scenario keys `scheduler.*`.
#pragma once

#include <cstddef>
#include <optional>

#include "sim/base/units.hpp"

namespace longhaul {

/// Settings of the searching schedulers; scenario keys `scheduler.*`. With both intervals at 0 `dtfm` is the search
/// of the paper and nothing else; `kernighan_lin` always is.
/// What `longhaul` leaves as the scenario has it.
struct Keep {
  bool degrees = false;      // pipeline, data
  bool micro_batch = false;  // sequences in a micro-batch
  bool runtime = false;      // schedule, barriers, synchronous transfers, passes
  bool sync = false;         // collective, order, parts
  bool placement = false;    // DT-FM's
};

struct SearchOptions {
  std::size_t population = 100;          // random balanced partitions to start from, at least 2
  std::size_t trials = 4900;             // offspring after them; population + trials = evaluations of the cost
  std::size_t swap_interval = 2;         // `dtfm` spends every so many trials on one swap of two devices; 0 = none
  std::size_t annealing_interval = 100;  // `dtfm` anneals the offspring of every so many trials; 0 = never
  std::size_t annealing_steps = 300;     // swaps tried in one annealing, per device of the platform
  double annealing_heat = 0.004;         // by how much the first swaps may raise the smoothed cost, as a share of it

  std::size_t simulations = 5000;  // plans that `longhaul` tries on the fast evaluator
  std::optional<Seconds>
      time_budget;  // of `longhaul`; none = the simulations alone end it, the same on every machine
  Keep keep;        // of `longhaul`
};

}  // namespace longhaul
