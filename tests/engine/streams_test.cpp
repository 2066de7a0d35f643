#include "sim/engine/streams.hpp"

#include <catch2/catch.hpp>

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
  const Tasklet task = computation(0);
  CHECK(streams.enqueue(TaskletId(7), task));
  CHECK_FALSE(streams.enqueue(TaskletId(3), task));
  CHECK_FALSE(streams.enqueue(TaskletId(1), task));
  CHECK(streams.release(task) == std::vector<TaskletId>{TaskletId(3)});
  CHECK_FALSE(streams.take(TaskletId(1), task));
  CHECK(streams.take(TaskletId(3), task));
}

TEST_CASE("computing, sending and receiving go on at once") {
  Streams streams(2);
  CHECK(streams.enqueue(TaskletId(0), computation(0)));
  CHECK(streams.enqueue(TaskletId(1), transfer(0, 1)));
  CHECK(streams.enqueue(TaskletId(2), transfer(1, 0)));
}

TEST_CASE("a transfer waits for the sender's and the receiver's stream") {
  Streams streams(3);
  CHECK(streams.enqueue(TaskletId(0), transfer(0, 2)));
  CHECK_FALSE(streams.enqueue(TaskletId(1), transfer(1, 2)));  // receiver busy
  CHECK_FALSE(streams.enqueue(TaskletId(2), transfer(1, 0)));  // behind tasklet 1 in the send stream
  CHECK(streams.release(transfer(0, 2)) == std::vector<TaskletId>{TaskletId(1)});
  CHECK(streams.take(TaskletId(1), transfer(1, 2)));
  CHECK(streams.release(transfer(1, 2)) == std::vector<TaskletId>{TaskletId(2)});
  CHECK(streams.take(TaskletId(2), transfer(1, 0)));
}
