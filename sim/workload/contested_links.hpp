// The links over which transfers of a graph can get into each other's way.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/description/platform_loader.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// Whether it holds a send and a receive stream while its bytes pass: every transfer but a barrier message.
inline bool holds_streams(const Tasklet& task) {
  return is_transfer(task.kind) && task.kind != TaskletKind::barrier_message;
}

/// Links that divide their bandwidth among the transfers on them and that are crossed by transfers of several senders to
/// several receivers. Those that one sender or one receiver has to itself do not count: its stream serves one transfer
/// at a time.
class ContestedLinks {
 public:
  ContestedLinks() = default;
  /// Asks SimGrid for routes in a forked child, where the platform's XML may share links at all.
  ContestedLinks(const Platform& platform, const TaskletGraph& graph);

  bool empty() const { return names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<BytesPerSecond>& bandwidths() const { return bandwidths_; }
  /// Numbers of the contested links on the way of a transfer of the graph.
  const std::vector<std::uint32_t>& on_route(const Tasklet& transfer) const;

 private:
  std::vector<std::string> names_;
  std::vector<BytesPerSecond> bandwidths_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> routes_;  // by pair of devices, where there are any
};

}  // namespace longhaul
