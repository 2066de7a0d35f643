// The hybrid genetic search over balanced partitions that DT-FM schedules with (arXiv 2206.01288, section 3.4).
#pragma once

#include "scheduler/cyclic_local_search.hpp"
#include "scheduler/scheduler.hpp"

namespace longhaul {

/// Trials that are not the paper's; 0 = never. Where both fall on one trial it is an annealing.
struct BeyondThePaper {
  std::size_t annealing_interval = 0;
  std::size_t swap_interval = 0;
};

/// Steady state: SearchOptions::population random partitions, then SearchOptions::trials offspring. A trial draws two
/// distinct parents, copies five random genes (device -> group) of the second into the first, repairs the group
/// sizes, runs one pass of cyclic local search with `gain`, scores the result and puts it in the place of the dearer
/// parent (the second if they cost the same). The answer is the best partition ever scored, the earliest of equals,
/// laid out at best.
///
/// Beyond the paper, because the gain only estimates the cost, and the cost is flat in large parts:
/// - Every annealing_interval-th trial the crossed offspring is annealed as a layout (LayoutAnnealing) in place of
/// the
///   cyclic local search, and replaces the dearer parent only when it is no dearer itself.
/// - Every swap_interval-th trial swaps two random devices of different groups in the cheapest of ten random members
/// of
///   the population, and keeps the result in its place when it is no dearer: a descent on the true cost.
///
/// Throws UserError for a job that does not fit the platform, a population below 2 or a heat outside [0, 1].
Decision search_genetically(const Problem& problem, Gain gain, BeyondThePaper beyond_the_paper);

}  // namespace longhaul
