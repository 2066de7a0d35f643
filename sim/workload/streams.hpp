// The streams of all devices: which waiting tasklet may start next. Knows no time and no SimGrid.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "sim/workload/tasklet.hpp"

namespace longhaul {

/// Each device has a compute, a send and a receive stream; each serves one tasklet at a time, first come, first
/// served. A computation needs its device's compute stream. A transfer first needs the sender's send stream; when its
/// turn there has come it asks for the receiver's receive stream and keeps the send stream until it is through, as a
/// blocking send does. (No deadlock: who holds a receive stream waits for nothing.)
///
/// `tasklets` is always the workload's, by id.
class Streams {
 public:
  explicit Streams(std::size_t devices) : compute_(devices), send_(devices), receive_(devices) {}

  /// Queues a tasklet. Whether it starts at once.
  bool enqueue(TaskletId id, const std::vector<Tasklet>& tasklets);

  /// A running tasklet is through. Those that start in its place.
  std::vector<TaskletId> release(TaskletId id, const std::vector<Tasklet>& tasklets);

  /// The transfer whose turn comes at the sender of a running one once that is through.
  std::optional<TaskletId> next_to_send(const Tasklet& running) const {
    const Stream& send = send_[running.device.value];
    return send.size() < 2 ? std::nullopt : std::optional(send[1]);
  }

 private:
  /// The tasklet at the front is the one being served (or, in a send stream, the one whose turn it is).
  using Stream = std::deque<TaskletId>;

  std::vector<Stream> compute_;
  std::vector<Stream> send_;
  std::vector<Stream> receive_;
};

}  // namespace longhaul
