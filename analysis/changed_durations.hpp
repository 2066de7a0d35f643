// How long every tasklet of a run would take on a changed platform, without simulating it.
#pragma once

#include <vector>

#include "analysis/propagation.hpp"
#include "analysis/rerun.hpp"

namespace longhaul {

/// `base` is simulated; `changed` is the same plan on a changed scenario and need not be. By tasklet id:
///   a computation   takes what its tasklet says there, instead of what it says here
///   a transfer      holds its streams in proportion to 1 / the bandwidth of its path, so that a link that it shares with
///                   others is taken to stay shared among as many; the delay of its path changes its lag; a TCP window limits it as it limits a
///                   transfer that is alone
///   a barrier message   pays the delay of its path
std::vector<Duration> changed_durations(const Rerun& base, const Rerun& changed, const NetworkModel& network);

}  // namespace longhaul
