#include "sim/base/parallel.hpp"

#include <algorithm>
#include <cstdlib>

#include <unistd.h>
#include <catch2/catch.hpp>

#include "sim/base/child_process.hpp"
#include "sim/base/error.hpp"

using namespace longhaul;

namespace {

void sleep_milliseconds(unsigned milliseconds) { usleep(milliseconds * 1000); }

}  // namespace

TEST_CASE("answers come back by index, whoever finishes first") {
  const auto work = [](std::size_t i) {
    sleep_milliseconds(i == 0 ? 80 : 1);
    return std::string(i * 100'000, static_cast<char>('a' + i));
  };
  for (const std::size_t processes : {1, 2, 3, 50}) {
    const std::vector<std::string> answers = parallel_map(7, processes, work, nullptr);
    REQUIRE(answers.size() == 7);
    for (std::size_t i = 0; i < 7; ++i) CHECK(answers[i] == work(i));
  }
  CHECK(parallel_map(0, 2, work, nullptr).empty());
}

TEST_CASE("of several errors the first by index is thrown, as what it is") {
  const auto work = [](std::size_t i) -> std::string {
    if (i == 1) sleep_milliseconds(60);
    if (i == 1) throw UserError({"a.yaml", 1, 2}, "late but first", "", "");
    if (i == 2) throw std::runtime_error("early but second");
    return "";
  };
  for (const std::size_t processes : {1, 2, 4}) {
    CHECK_THROWS_AS(parallel_map(5, processes, work, nullptr), UserError);
    CHECK_THROWS_WITH(parallel_map(5, processes, work, nullptr), "a.yaml:1:2: late but first");
  }
}

TEST_CASE("nothing is begun after an error is known") {
  const auto work = [](std::size_t i) -> std::string {
    if (i == 0) throw std::runtime_error("broken");
    std::_Exit(3);  // would be ChildDied, if it were the first
  };
  CHECK_THROWS_AS(parallel_map(3, 1, work, nullptr), InternalError);
}

TEST_CASE("a job may have children of its own, and one that dies is told from the others") {
  const auto nested = [](std::size_t i) { return run_in_child([i] { return std::to_string(i); }); };
  CHECK(parallel_map(3, 2, nested, nullptr) == std::vector<std::string>{"0", "1", "2"});
  CHECK_THROWS_AS(parallel_map(
                      2, 2, [](std::size_t) -> std::string { std::_Exit(3); }, nullptr),
                  ChildDied);
}

TEST_CASE("progress of a map rises to 1") {
  std::vector<double> seen;
  parallel_map(
      4, 2, [](std::size_t) { return std::string(); }, [&](double share) { seen.push_back(share); });
  CHECK(seen == std::vector<double>{0.25, 0.5, 0.75, 1});
  CHECK(processor_count() >= 1);
}
