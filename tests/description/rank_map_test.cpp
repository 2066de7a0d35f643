#include "sim/description/rank_map.hpp"

#include <catch2/catch.hpp>

#include "tests/support/scratch.hpp"

using namespace longhaul;

namespace {

std::vector<RankId> ranks(std::initializer_list<std::size_t> values) {
  std::vector<RankId> result;
  for (const std::size_t value : values) result.emplace_back(value);
  return result;
}

}  // namespace

TEST_CASE("rank maps are white space or JSON") {
  const Scratch scratch;
  CHECK(read_rank_map(scratch.write("a", "2 0\n1\n")) == ranks({2, 0, 1}));
  CHECK(read_rank_map(scratch.write("b", "[2, 0,\n 1]\n")) == ranks({2, 0, 1}));
  CHECK(read_rank_map(scratch.write("c", "0")) == ranks({0}));
}

TEST_CASE("bad rank maps are rejected where they are bad") {
  const Scratch scratch;
  const auto message = [&](const std::string& text) {
    try {
      read_rank_map(scratch.write("m", text));
    } catch (const UserError& error) {
      return std::string(error.what()).substr(scratch.folder().size() + 2);
    }
    return std::string("accepted");
  };
  CHECK_THAT(message(""), Catch::StartsWith(":1:1: there are no ranks"));
  CHECK_THAT(message("0 1\n2 x"), Catch::StartsWith(":2:3: 'x' is not a digit of a rank"));
  CHECK_THAT(message("0 -1"), Catch::StartsWith(":1:3: '-' is not a digit"));
  CHECK_THAT(message("0 1.5"), Catch::Contains("'.' is not a digit"));
  CHECK_THAT(message("0 0"), Catch::Contains("rank 0 stands twice"));
  CHECK_THAT(message("0 2"), Catch::Contains("device 1 gets rank 2 (there are only 2 devices)"));
  CHECK_THAT(message("[0, 1"), Catch::Contains("the file ends where"));
  CHECK_THAT(message("[0 1]"), Catch::Contains("'1' stands where ',' belongs"));
  CHECK_THAT(message("[0, 1] 2"), Catch::Contains("left over after the array"));
  CHECK_THAT(message("0 99999999999999999999"), Catch::StartsWith(":1:3: the rank is too large"));
  CHECK_THAT(message("[]"), Catch::Contains("there are no ranks"));
}
