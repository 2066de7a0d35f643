// The network model of a scenario: SimGrid's equations and what the transport adds to them. Every parameter has a
// physical meaning, a unit and a default that changes nothing; profiles in scenarios/networks/ set them with their
// sources.
#pragma once

#include <optional>
#include <string>

#include "sim/base/units.hpp"
#include "sim/description/config.hpp"

namespace longhaul {

/// Which equations turn bytes and links into seconds.
enum class NetworkEquations {
  raw,  // latency + bytes / bandwidth, links shared max-min fairly: for measured end-to-end bandwidths. A send stream
        // is free again when the last byte has left; the latency passes afterwards
  cm02,  // SimGrid's CM02: the same for one flow, but flows share a link in inverse proportion to their latency and
         // the stream is held during the latency
  lv08,  // SimGrid's default LV08: latency x 13.01, bandwidth x 0.97, TCP window limit: for capacities in a LAN
};

struct NetworkModel {
  std::string profile = "ideal";
  NetworkEquations equations = NetworkEquations::raw;
  double efficiency = 1;             // share of a path's bandwidth that an activation message reaches, in (0, 1]
  double collective_efficiency = 1;  // the same for gradient sync
  Seconds message_cost;  // time the sender's GPU computes nothing for each activation message to another machine
  double staging = 0;    // EXPERIMENT
  Bytes chunk{4.0 * 1024 * 1024};     // piece in which the chain of a central server passes gradients on
  double barrier_latency_factor = 1;  // one-way latencies that a round of a barrier costs (2 with a handshake)
  std::optional<Bytes>
      tcp_window;  // bytes in flight per message: it takes at least one round trip per window; raw equations only
};

const char* name_of(NetworkEquations equations);

/// Reads the `network` section: an optional `profile` (a file of scenarios/networks/) and keys that override it.
NetworkModel read_network_model(const Config& config);

}  // namespace longhaul
