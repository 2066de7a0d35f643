// The network model of a scenario: SimGrid's equations and what the transport adds to them. Every parameter has a
// physical meaning, a unit and a default that changes nothing; profiles in scenarios/networks/ set them with their
// sources.
#pragma once

#include <optional>
#include <string>

#include "sim/base/units.hpp"
#include "sim/description/config.hpp"
#include "sim/description/measured_sums.hpp"

namespace longhaul {

/// Which equations turn bytes and links into seconds.
enum class NetworkEquations {
  raw,  // latency + bytes / bandwidth, links shared max-min fairly: for measured end-to-end bandwidths. A send stream
        // is free again when the last byte has left; the latency passes afterwards
  cm02,  // SimGrid's CM02: the same for one flow, but flows share a link in inverse proportion to their latency and
         // the stream is held during the latency
  lv08,  // SimGrid's default LV08: latency x 13.01, bandwidth x 0.97, TCP window limit: for capacities in a LAN
};

/// How the steps of a ring are simulated. `together`: each member sends all that it sends in one transfer, which starts when
/// every member is ready and pays the latency of each step. The same time where all links of the ring are equal and its
/// members ready at once; the slowest link alone decides otherwise. For rings of hundreds.
enum class RingSteps { apart, together };

struct NetworkModel {
  std::string profile = "ideal";
  NetworkEquations equations = NetworkEquations::raw;

  /// Share of a path's bandwidth that an activation message between machines reaches, in (0, 1]: protocol headers,
  /// pauses of the sender.
  double efficiency = 1;
  /// The same for rings and chains of gradient sync and for tensor parallelism.
  double collective_efficiency = 1;
  /// The same where every member of a group sends to every other (sharded server): such flows collide at the receivers.
  double exchange_efficiency = 1;
  /// Time for which the sender's GPU computes nothing, per activation message to another machine (staging through the host).
  Seconds message_cost;
  /// Share of an activation message's time on the wire that passes once more before its receiver may use it, because buffers
  /// on the way are filled before they are emptied: 0 = cut-through, 1 = one full copy at the path's rate. Where messages
  /// follow each other it hides behind the next one.
  double store_and_forward = 0;
  /// Piece in which the chains of broadcast, reduce and central server pass data on.
  Bytes chunk{4.0 * 1024 * 1024};
  /// A ring all-reduce goes round by round over this much of each member's share, each of a round's 2 (n - 1) steps
  /// waiting for the last; none = one round over the whole share.
  std::optional<Bytes> ring_chunk;
  RingSteps ring_steps = RingSteps::apart;
  /// Share of the time of gathers and scatters that overlap computing (ZeRO 2 and 3) for which the device computes nothing, from 0 to 1:
  /// their kernels take processors and memory bandwidth from it.
  double overlap_cost = 0;
  /// Measured all-reduces inside a machine. Sums among the slices of a stage that stands on one machine take these times, as
  /// part of the computation whose results they sum; none = they are exchanged like all else.
  std::optional<MeasuredSums> tensor_sums;
  /// One-way latencies that a round of a dissemination barrier costs: 2 with a handshake.
  double barrier_latency_factor = 1;
  /// Bytes that a connection keeps in flight: a message takes at least one round trip per window. Raw equations only, for
  /// platforms that state capacity instead of measured throughput.
  std::optional<Bytes> tcp_window;
  /// Connections that a message is spread over, each with a window of its own.
  std::size_t tcp_streams = 1;
};

const char* name_of(NetworkEquations equations);

/// Reads the `network` section: an optional `profile` (a file of scenarios/networks/) and keys that override it.
NetworkModel read_network_model(const Config& config);

}  // namespace longhaul
