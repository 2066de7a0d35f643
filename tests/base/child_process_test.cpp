#include "sim/base/child_process.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"

using namespace longhaul;

TEST_CASE("a child's answer comes back whole, however long") {
  const std::string long_text(3'000'000, 'x');
  CHECK(run_in_child([&] { return long_text; }) == long_text);
  CHECK(run_in_child([] { return std::string(); }).empty());
}

TEST_CASE("a child does not change its parent") {
  int value = 1;
  run_in_child([&] {
    value = 2;
    return std::string();
  });
  CHECK(value == 1);
}

TEST_CASE("errors in a child are thrown in the parent, as what they are") {
  CHECK_THROWS_AS(run_in_child([]() -> std::string {
                    throw UserError({"a.yaml", 3, 4}, "wrong", "why", "this");
                  }),
                  UserError);
  CHECK_THROWS_WITH(run_in_child([]() -> std::string {
                      throw UserError({"a.yaml", 3, 4}, "wrong", "why", "this");
                    }),
                    "a.yaml:3:4: wrong (why); accepted: this");
  CHECK_THROWS_AS(run_in_child([]() -> std::string { throw std::runtime_error("broken"); }), InternalError);
  CHECK_THROWS_AS(run_in_child([]() -> std::string { throw std::bad_alloc(); }), UserError);
}

TEST_CASE("a child that dies says what it printed") {
  CHECK_THROWS_WITH(run_in_child([]() -> std::string {
                      std::fputs("last words", stderr);
                      std::_Exit(134);
                    }),
                    "last words");
}

TEST_CASE("a child that is killed says by which signal") {
  int signal = 0;
  try {
    run_in_child([]() -> std::string { return std::to_string(raise(SIGKILL)); });
  } catch (const ChildDied& death) {
    signal = death.signal();
  }
  CHECK(signal == SIGKILL);
}

TEST_CASE("a child does not outlive its parent, and dies when nobody waits for its answer") {
  // The child of a killed child closes the pipe by its death: reading ends.
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  CHECK_THROWS_AS(run_in_child([&]() -> std::string {
                    const ChildProcess grandchild([]() -> std::string {
                      pause();
                      return {};
                    });
                    raise(SIGKILL);
                    return {};
                  }),
                  ChildDied);
  {
    const ChildProcess unheard([]() -> std::string { return std::to_string(pause()); });
  }
  close(ends[1]);
  char byte = 0;
  CHECK(read(ends[0], &byte, 1) == 0);
  close(ends[0]);
}

TEST_CASE("progress reaches the parent in order") {
  std::vector<double> seen;
  run_in_child(
      [] {
        report_progress(0.25);
        report_progress(0.5);
        return std::string();
      },
      [&](double fraction) { seen.push_back(fraction); });
  CHECK(seen == std::vector<double>{0.25, 0.5});
}
