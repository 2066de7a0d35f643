// What the network model adds to a transfer, the same for every engine.
#pragma once

#include <cstdint>

#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/tasklet.hpp"

namespace longhaul {

/// Keeps references to both.
class Transport {
 public:
  Transport(const PlatformView& platform, const NetworkModel& network) : platform_(platform), network_(network) {}

  /// Bytes on the wire, whole and at least one: inefficiency inflates what crosses between machines. UserError above 9e18.
  std::uint64_t wire_bytes(const Tasklet& transfer) const;
  /// What all its messages pay together.
  Seconds latency(const Tasklet& transfer) const {
    return platform_.path(transfer.device, transfer.target).latency * transfer.messages;
  }
  Seconds barrier_latency(const Tasklet& message) const { return latency(message) * network_.barrier_latency_factor; }
  /// The least time for which the TCP windows make a transfer hold its streams.
  Seconds shortest_by_window(const Tasklet& transfer) const;
  /// Whether buffers that are filled before they are emptied delay it: an activation message between machines.
  bool is_stored(const Tasklet& transfer) const {
    return transfer.kind == TaskletKind::activation_transfer && network_.store_and_forward > 0 &&
           !platform_.same_machine(transfer.device, transfer.target);
  }
  /// By how much, after `on_wire`.
  Seconds hand_over(const Tasklet& transfer, Seconds on_wire) const {
    return is_stored(transfer) ? on_wire * network_.store_and_forward : Seconds();
  }

 private:
  const PlatformView& platform_;
  const NetworkModel& network_;
};

}  // namespace longhaul
