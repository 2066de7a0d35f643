// Standard streams that are full, closed, or that nobody reads.
#include <catch2/catch.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;

namespace {

// Exit code of a shell command in which $L is the program.
int exit_code_of(const std::string& command) {
  const std::string line =
      std::string("cd '") + LONGHAUL_SOURCE_DIR + "' && L='" + LONGHAUL_PROGRAM + "' bash -c '" + command + "'";
  const int status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("output that cannot be written is one line and exit code 2") {
  const Scratch scratch;
  for (const char* arguments : {"run two_sites_smoke --json", "compare two_sites_smoke --schedulers identity,random",
                                "compare two_sites_smoke --schedulers identity --json", "list models", "--help",
                                "validate two_sites_smoke"}) {
    INFO(arguments);
    const std::string error = scratch.path("error");
    CHECK(exit_code_of(std::string("$L ") + arguments + " >/dev/full 2>" + error) == 2);
    std::ifstream stream(error);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    CHECK_THAT(text, Catch::StartsWith("cannot write to standard output (No space left on device)"));
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  }
}

TEST_CASE("a reader that goes away does not kill the program") {
  CHECK(exit_code_of("$L run two_sites_smoke --json 2>/dev/null | true; exit ${PIPESTATUS[0]}") == 2);
}

TEST_CASE("closed standard streams are nothing special") {
  CHECK(exit_code_of("$L run two_sites_smoke <&- >&- 2>&-") == 0);
  CHECK(exit_code_of("$L run no_such_scenario <&- >&- 2>&-") == 2);
}
