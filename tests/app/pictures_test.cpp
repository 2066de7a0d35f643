// `report --svg`, as a user runs it.
#include <catch2/catch.hpp>

#include "tests/support/environment.hpp"
#include "tests/support/program.hpp"

using namespace longhaul;

TEST_CASE("report --svg draws every figure of a run, the same each time") {
  const Scratch scratch;
  REQUIRE(longhaul_program("run two_sites_smoke --out " + scratch.path("run")).exit_code == 0);
  const Answer answer = longhaul_program("report " + scratch.path("run") + " --svg " + scratch.path("new/a"));
  REQUIRE(answer.exit_code == 0);
  CHECK(longhaul_program("report " + scratch.path("run") + " --svg " + scratch.path("b")).exit_code == 0);
  const auto contents = [](const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  std::string paths;
  for (const char* name : {"breakdown", "utilisation", "bandwidth", "latency", "timeline"}) {
    const std::string file = std::string(name) + ".svg";
    paths += scratch.path("new/a/" + file) + "\n";
    CHECK_THAT(contents(scratch.path("new/a/" + file)), Catch::StartsWith("<svg ") && Catch::EndsWith("</svg>\n"));
    CHECK(contents(scratch.path("new/a/" + file)) == contents(scratch.path("b/" + file)));
  }
  CHECK(answer.out == paths);  // no map: nobody knows where the two sites are
}

TEST_CASE("report --svg without gnuplot says what to install and leaves nothing behind") {
  const Scratch scratch;
  REQUIRE(longhaul_program("run two_sites_smoke --out " + scratch.path("run")).exit_code == 0);
  const Environment path("PATH", scratch.folder());
  const Answer answer = longhaul_program("report " + scratch.path("run") + " --svg " + scratch.path("a"));
  CHECK(answer.exit_code == 2);
  CHECK(answer.out == "");
  CHECK_THAT(answer.error, Catch::Contains("apt-get install gnuplot-nox"));
  CHECK_FALSE(std::filesystem::exists(scratch.path("a")));
}
