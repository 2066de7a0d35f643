#include "scheduler/partition.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"

using namespace longhaul;

TEST_CASE("a random partition is balanced") {
  RandomStream random(1, "partition test");
  const Partition partition = random_partition(12, 3, random);
  std::vector<int> size(3, 0);
  for (const std::uint32_t group : partition.group_of_device) ++size[group];
  CHECK(size == std::vector<int>{4, 4, 4});
}

TEST_CASE("renumbered groups follow their lowest device") {
  CHECK(renumbered({3, {2, 0, 2, 1, 1, 0}}).group_of_device == std::vector<std::uint32_t>{0, 1, 0, 2, 2, 1});
}

TEST_CASE("members stand group by group in ascending order") {
  CHECK(members_by_group({2, {1, 0, 1, 0}}) == std::vector<std::uint32_t>{1, 3, 0, 2});
}

TEST_CASE("an unbalanced partition is a broken contract") {
  CHECK_THROWS_AS(members_by_group({2, {1, 0, 1, 1}}), InternalError);
}

TEST_CASE("the number of partitions is n! / (size!^groups groups!)") {
  CHECK(count_partitions(4, 2) == 3);
  CHECK(count_partitions(6, 3) == 15);
  CHECK(count_partitions(9, 3) == 280);
  CHECK(count_partitions(16, 4) == 2627625);
  CHECK(count_partitions(5, 1) == 1);
  CHECK(count_partitions(5, 5) == 1);
}
