#include "analysis/shared_flows.hpp"

#include <cmath>

#include <catch2/catch.hpp>

using namespace longhaul;

namespace {

using Links = std::vector<std::uint32_t>;

// The next flow to be through, alone at its moment.
void check_next(SharedFlows& flows, std::size_t id, double seconds) {
  const Seconds end = flows.next_end();
  CHECK(end.value == Approx(seconds));
  const std::vector<TaskletId> ended = flows.take_ended(end, end);
  REQUIRE(ended.size() == 1);
  CHECK(ended.front() == TaskletId(id));
}

const Links none, first{0}, second{1}, both{0, 1}, twice{0, 0};

}  // namespace

TEST_CASE("flows on a link have equal parts of it, and the rest has all when one is through") {
  SharedFlows flows({BytesPerSecond(10)});
  flows.start(TaskletId(0), Bytes(100), BytesPerSecond(10), first, Seconds(0));
  flows.start(TaskletId(1), Bytes(20), BytesPerSecond(10), first, Seconds(2));  // 20 bytes of the other are through
  check_next(flows, 1, 6);                                                      // 5 bytes per second each
  check_next(flows, 0, 12);                                                     // 60 bytes left at 10
  CHECK(std::isinf(flows.next_end().value));
}

TEST_CASE("what a flow cannot use, because of another link or its own limit, the others have") {
  SharedFlows flows({BytesPerSecond(10), BytesPerSecond(4)});
  flows.start(TaskletId(0), Bytes(16), BytesPerSecond(10), first, Seconds(0));  // 10 - 2 = 8 bytes per second
  flows.start(TaskletId(1), Bytes(20), BytesPerSecond(10), both, Seconds(0));   // 2
  flows.start(TaskletId(2), Bytes(6), BytesPerSecond(10), second, Seconds(0));  // 2
  check_next(flows, 0, 2);
  check_next(flows, 2, 3);
  flows.start(TaskletId(3), Bytes(10), BytesPerSecond(1), second, Seconds(3));  // 1; flow 1 has 3, and 14 bytes to go
  check_next(flows, 1, 3 + 14.0 / 3);
  check_next(flows, 3, 13);
}

TEST_CASE("a flow without links has its own limit, and one that crosses a link twice half of it") {
  SharedFlows flows({BytesPerSecond(10)});
  flows.start(TaskletId(0), Bytes(100), BytesPerSecond(50), none, Seconds(0));
  flows.start(TaskletId(1), Bytes(100), BytesPerSecond(10), twice, Seconds(0));
  check_next(flows, 0, 2);
  check_next(flows, 1, 20);
}

TEST_CASE("flows that end at one moment leave in the order of their start") {
  SharedFlows flows({BytesPerSecond(9)});
  for (const std::size_t id : {2, 0, 1}) flows.start(TaskletId(id), Bytes(30), BytesPerSecond(9), first, Seconds(0));
  CHECK(flows.take_ended(Seconds(10), Seconds(10 + 1e-9)) ==
        std::vector<TaskletId>{TaskletId(2), TaskletId(0), TaskletId(1)});
}
