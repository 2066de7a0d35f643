#include "sim/workload/transport.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

constexpr double most_wire_bytes = 9e18;  // of a transfer: what SimGrid counts

double efficiency_of(TaskletKind kind, const NetworkModel& network) {
  if (kind == TaskletKind::activation_transfer) return network.efficiency;
  const bool exchanged = kind == TaskletKind::gradient_exchange || kind == TaskletKind::expert_transfer;
  return exchanged ? network.exchange_efficiency : network.collective_efficiency;
}

}  // namespace

// At least one, as SimGrid never completes an empty transfer.
std::uint64_t Transport::wire_bytes(const Tasklet& transfer) const {
  const bool local = platform_.same_machine(transfer.device, transfer.target);
  const double bytes = std::max(1.0, transfer.bytes.value / (local ? 1 : efficiency_of(transfer.kind, network_)));
  if (bytes > most_wire_bytes)
    throw UserError({}, "a transfer of " + std::to_string(bytes) + " bytes", "more than can be counted",
                    "smaller messages");
  return static_cast<std::uint64_t>(std::llround(bytes));
}

Seconds Transport::shortest_by_window(const Tasklet& transfer) const {
  if (!network_.tcp_window) return {};
  const double window = network_.tcp_window->value * static_cast<double>(network_.tcp_streams);
  return latency(transfer) * (2 * static_cast<double>(wire_bytes(transfer)) / window);
}

}  // namespace longhaul
