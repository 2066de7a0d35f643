#include "sim/workload/streams.hpp"

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// Joins a queue; whether it is first.
bool join(std::deque<TaskletId>& queue, TaskletId id) {
  queue.push_back(id);
  return queue.size() == 1;
}

// Leaves the front of a queue; whether somebody comes next.
bool leave(std::deque<TaskletId>& queue, TaskletId id) {
  require(!queue.empty() && queue.front() == id, "a stream is released by a tasklet that it does not serve");
  queue.pop_front();
  return !queue.empty();
}

}  // namespace

bool Streams::enqueue(TaskletId id, const std::vector<Tasklet>& tasklets) {
  const Tasklet& task = tasklets[id.value];
  if (!is_transfer(task.kind)) return join(compute_[task.device.value], id);
  return join(send_[task.device.value], id) && join(receive_[task.target.value], id);
}

std::vector<TaskletId> Streams::release(TaskletId id, const std::vector<Tasklet>& tasklets) {
  const Tasklet& task = tasklets[id.value];
  std::vector<TaskletId> started;
  if (!is_transfer(task.kind)) {
    Stream& compute = compute_[task.device.value];
    if (leave(compute, id)) started.push_back(compute.front());
    return started;
  }
  Stream& receive = receive_[task.target.value];
  if (leave(receive, id)) started.push_back(receive.front());
  Stream& send = send_[task.device.value];
  if (leave(send, id)) {
    const TaskletId next = send.front();
    if (join(receive_[tasklets[next.value].target.value], next)) started.push_back(next);
  }
  return started;
}

}  // namespace longhaul
