#include "sim/workload/streams.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"

using namespace longhaul;

namespace {

Tasklet computation(std::size_t device) {
  Tasklet task;
  task.device = task.target = DeviceId(device);
  return task;
}

Tasklet transfer(std::size_t from, std::size_t to) {
  Tasklet task;
  task.kind = TaskletKind::activation_transfer;
  task.device = DeviceId(from);
  task.target = DeviceId(to);
  return task;
}

}  // namespace

TEST_CASE("a compute stream serves one tasklet at a time, first come, first served") {
  Streams streams(1);
  const std::vector<Tasklet> tasks(3, computation(0));
  CHECK(streams.enqueue(TaskletId(2), tasks));
  CHECK_FALSE(streams.enqueue(TaskletId(1), tasks));
  CHECK_FALSE(streams.enqueue(TaskletId(0), tasks));
  CHECK(streams.release(TaskletId(2), tasks) == std::vector<TaskletId>{TaskletId(1)});
  CHECK(streams.release(TaskletId(1), tasks) == std::vector<TaskletId>{TaskletId(0)});
  CHECK(streams.release(TaskletId(0), tasks).empty());
  CHECK_THROWS_AS(streams.release(TaskletId(0), tasks), InternalError);
}

TEST_CASE("computing, sending and receiving go on at once") {
  Streams streams(2);
  const std::vector<Tasklet> tasks{computation(0), transfer(0, 1), transfer(1, 0)};
  for (std::size_t i = 0; i < tasks.size(); ++i) CHECK(streams.enqueue(TaskletId(i), tasks));
}

TEST_CASE("a transfer waits for the receiver only when its turn has come at the sender") {
  Streams streams(3);
  const std::vector<Tasklet> tasks{transfer(0, 1), transfer(0, 2), transfer(1, 2), transfer(2, 1)};
  CHECK(streams.enqueue(TaskletId(0), tasks));
  CHECK_FALSE(streams.enqueue(TaskletId(1), tasks));  // behind tasklet 0 at its sender: receiver 2 is not asked yet
  CHECK(streams.enqueue(TaskletId(2), tasks));
  CHECK_FALSE(streams.enqueue(TaskletId(3), tasks));  // receiver 1 is busy
  CHECK(streams.release(TaskletId(0), tasks) ==
        std::vector<TaskletId>{TaskletId(3)});  // tasklet 1 waits for receiver 2
  CHECK(streams.release(TaskletId(2), tasks) == std::vector<TaskletId>{TaskletId(1)});
}

TEST_CASE("a sender's next transfer is the second in its queue") {
  Streams streams(3);
  const std::vector<Tasklet> tasks{transfer(0, 1), transfer(0, 2)};
  streams.enqueue(TaskletId(0), tasks);
  CHECK_FALSE(streams.next_to_send(tasks[0]));
  streams.enqueue(TaskletId(1), tasks);
  CHECK(streams.next_to_send(tasks[0]) == TaskletId(1));
}
