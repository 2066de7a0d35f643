// Other programs: what goes in and what comes out.
#include "sim/base/program.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;

TEST_CASE("a program gets its input and arguments, and what it says comes back, however much it is") {
  const std::string input(3'000'000, 'x');
  CHECK(run_program({"cat", {}, "coreutils"}, input).out == input);
  const ProgramAnswer answer = run_program({"sh", {"-c", "echo $1; echo no >&2; exit 3", "sh", "a b'c"}, "dash"}, "");
  CHECK(answer.out == "a b'c\n");
  CHECK(answer.error == "no\n");
  CHECK(answer.exit_code == 3);
}

TEST_CASE("a program that is not installed is the user's error, with the package that has it") {
  const Scratch empty;
  const Environment path("PATH", empty.folder());
  CHECK_THROWS_WITH(run_program({"gnuplot", {}, "gnuplot-nox"}, ""),
                    "the program 'gnuplot' is not installed (it is not on PATH); accepted: apt-get install "
                    "gnuplot-nox");
}

TEST_CASE("a program that computes for too long is stopped") {
  const ProgramCall busy{"sh", {"-c", "while :; do :; done"}, "dash", 1};
  CHECK_THROWS_WITH(run_program(busy, ""), Catch::Contains("'sh' computed for more than 1 s"));
}

TEST_CASE("a program that is killed is an error") {
  CHECK_THROWS_WITH(run_program({"sh", {"-c", "kill -9 $$"}, "dash"}, ""), "'sh' was killed by signal 9");
}
