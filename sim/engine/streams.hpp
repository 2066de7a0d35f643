// The streams of all devices: which waiting tasklet may start next. Knows no time and no SimGrid.
#pragma once

#include <deque>
#include <vector>

#include "sim/workload/tasklet.hpp"

namespace longhaul {

/// Each device has a compute, a send and a receive stream; each serves its tasklets one at a time, first come, first
/// served. A computation needs its device's compute stream, a transfer the sender's send stream and the receiver's
/// receive stream; it starts when it is first in all it needs. (No deadlock: the tasklet that came first of all waits
/// for nothing but a running one.)
class Streams {
 public:
  explicit Streams(std::size_t devices) : compute_(devices), send_(devices), receive_(devices) {}

  /// Queues a tasklet. Whether it may start at once.
  bool enqueue(TaskletId id, const Tasklet& tasklet) {
    Stream& first = first_stream(tasklet);
    first.queue.push_back(id);
    if (is_transfer(tasklet.kind)) receive_[tasklet.target.value].queue.push_back(id);
    return take(id, tasklet);
  }

  /// The streams of a started tasklet are free again. The heads of their queues are returned as candidates for
  /// take().
  std::vector<TaskletId> release(const Tasklet& tasklet) {
    std::vector<TaskletId> heads;
    free(first_stream(tasklet), heads);
    if (is_transfer(tasklet.kind)) free(receive_[tasklet.target.value], heads);
    return heads;
  }

  /// Starts a queued tasklet if it is first in its streams and they are free. Whether it did.
  bool take(TaskletId id, const Tasklet& tasklet) {
    Stream& first = first_stream(tasklet);
    if (!first.would_serve(id)) return false;
    if (is_transfer(tasklet.kind)) {
      Stream& second = receive_[tasklet.target.value];
      if (!second.would_serve(id)) return false;
      second.serve();
    }
    first.serve();
    return true;
  }

 private:
  struct Stream {
    std::deque<TaskletId> queue;
    bool busy = false;
    bool would_serve(TaskletId id) const { return !busy && !queue.empty() && queue.front() == id; }
    void serve() {
      queue.pop_front();
      busy = true;
    }
  };

  Stream& first_stream(const Tasklet& tasklet) {
    return is_transfer(tasklet.kind) ? send_[tasklet.device.value] : compute_[tasklet.device.value];
  }
  static void free(Stream& stream, std::vector<TaskletId>& heads) {
    stream.busy = false;
    if (!stream.queue.empty()) heads.push_back(stream.queue.front());
  }

  std::vector<Stream> compute_;
  std::vector<Stream> send_;
  std::vector<Stream> receive_;
};

}  // namespace longhaul
