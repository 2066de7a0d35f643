// Given durations sent through the queues of the streams once more, without a network.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/propagation.hpp"
#include "sim/workload/contested_links.hpp"
#include "sim/workload/transport.hpp"

namespace longhaul {

/// What transfers have between them where they contest links. Must outlive the replay.
struct SharedNetwork {
  const Transport& transport;
  const PlatformView& platform;
  const ContestedLinks& links;
};

/// When the last tasklet finishes if each takes its duration and streams serve who comes first (sim/workload/streams.hpp).
/// Unlike in a propagation, a tasklet that comes earlier than it did may overtake. `served` settles who comes first at one
/// moment: by tasklet id, the smaller the earlier.
///
/// With a `network`, durations of transfers (barrier messages keep theirs) follow from it, as with the raw equations: bytes
/// on the wire at the bandwidth of the path, or at what contested links leave of it (shared_flows.hpp), then what Transport
/// adds.
Seconds replay(const TaskletGraph& graph, const std::vector<Duration>& durations,
               const std::vector<std::uint32_t>& served, const SharedNetwork* network = nullptr);

}  // namespace longhaul
