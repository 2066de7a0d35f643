// `longhaul sweep` and `merge` as a user runs them.
#include <csignal>
#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

// 12 points; `scheduler` twice, so that a plan made at one delay can be held at another.
std::string study(const std::string& delays = "[0 ms, 1 ms, 100 ms]") {
  return "name: small\ndescription: \"a small study\"\nscenario: two_sites_smoke\n"
         "axes:\n"
         "  - {name: scheduler, key: scheduler.name, values: [dtfm, megatron]}\n"
         "  - {name: delay, plan: held, key: links.between_regions.delay, values: " +
         delays +
         "}\n"
         "  - {name: batches, key: job.micro_batches, values: [2, 8]}\n"
         "metrics: [iteration_seconds, pflops]\n";
}

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Answer sweep(const std::string& arguments) { return longhaul_program("sweep " + arguments); }

}  // namespace

TEST_CASE("a sweep's numbers are those of single runs") {
  const Scratch scratch;
  const Answer answer = sweep(scratch.write("s.yaml", study()) + " --json");
  REQUIRE(answer.exit_code == 0);
  const json results = json::parse(answer.out);
  REQUIRE(results["rows"].size() == 12);
  const json run =
      json::parse(longhaul_program("run two_sites_smoke --json --scheduler megatron --set job.micro_batches=8 "
                                   "--set 'links.between_regions.delay=100 ms'")
                      .out);
  CHECK(results["rows"][11]["axes"] ==
        json::parse(R"({"scheduler": "megatron", "delay": "100 ms", "batches": "8"})"));
  CHECK(results["rows"][11]["values"]["iteration_seconds"] == run["iteration_seconds"]);
  CHECK(results["rows"][11]["values"]["pflops"] == run["pflops"]);
}

TEST_CASE("results are the same bytes whatever the number of jobs, killed and resumed, or spread over shards") {
  const Scratch scratch;
  const std::string file = scratch.write("s.yaml", study());
  REQUIRE(sweep(file + " --jobs 1 --out " + scratch.path("one")).exit_code == 0);
  const std::string csv = contents(scratch.path("one/results.csv"));
  const std::string results = contents(scratch.path("one/results.json"));
  REQUIRE(std::count(csv.begin(), csv.end(), '\n') == 13);

  REQUIRE(sweep(file + " --jobs 3 --out " + scratch.path("three")).exit_code == 0);
  CHECK(contents(scratch.path("three/results.json")) == results);

  // Killed once the first row is there.
  const std::string killed = scratch.path("killed");
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    execl(LONGHAUL_PROGRAM, LONGHAUL_PROGRAM, "sweep", file.c_str(), "--jobs", "1", "--out", killed.c_str(), nullptr);
    _exit(127);
  }
  const auto rows = [&] {
    const std::string journal = contents(killed + "/points.jsonl");
    return std::count(journal.begin(), journal.end(), '\n') - 1;
  };
  for (int i = 0; i < 6000 && rows() < 1; ++i) usleep(10'000);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(rows() >= 1);
  CHECK_FALSE(std::filesystem::exists(killed + "/results.csv"));
  CHECK(sweep(file + " --resume --out " + killed).exit_code == 0);
  CHECK(rows() == 12);  // nothing twice
  CHECK(contents(killed + "/results.csv") == csv);
  CHECK(contents(killed + "/results.json") == results);

  for (const char* shard : {"1/3", "2/3", "3/3"})
    REQUIRE(sweep(file + " --shard " + shard + " --out " + scratch.path("shards")).exit_code == 0);
  CHECK(longhaul_program("merge --json " + scratch.path("shards")).out == results);
  CHECK(contents(scratch.path("shards/results.csv")) == csv);
}

TEST_CASE("GNU parallel runs the shards") {
  if (std::system("command -v parallel >/dev/null 2>&1") != 0) {
    WARN("skipped: Debian's package 'parallel' is not installed");
    return;
  }
  const Scratch scratch;
  const std::string file = scratch.write("s.yaml", study());
  const std::string whole = sweep(file + " --json").out;
  const std::string command = "PARALLEL_HOME='" + scratch.path("home") + "' parallel '" +
                              std::string(LONGHAUL_PROGRAM) + "' sweep " + file + " --shard {}/4 --jobs 1 --out " +
                              scratch.path("shards") + " ::: 1 2 3 4 >/dev/null 2>&1";
  REQUIRE(std::system(command.c_str()) == 0);
  CHECK(longhaul_program("merge --json " + scratch.path("shards")).out == whole);
}

TEST_CASE("a point that cannot be run is a row with its error, and the exit code says so") {
  const Scratch scratch;
  std::string text = study();
  text.replace(text.find("[2, 8]"), 6, "[2]");
  text.replace(text.find("  - {name: batches"), 0, "  - {name: layers, key: job.layers, values: [4, 1]}\n");
  const Answer answer = sweep(scratch.write("s.yaml", text) + " --json");
  CHECK(answer.exit_code == 1);
  const json rows = json::parse(answer.out)["rows"];
  REQUIRE(rows.size() == 12);
  CHECK_FALSE(rows[0].contains("error"));
  CHECK_THAT(rows[1]["error"].get<std::string>(), Contains("s.yaml:7:") && Contains("every stage needs a layer"));
  CHECK(rows[1]["values"]["pflops"].is_null());
}

TEST_CASE("a plan that is more than a placement cannot be held, and says so") {
  const Scratch scratch;
  std::string text = study("[1 ms]");
  text.replace(text.find("[dtfm, megatron]"), 16, "[longhaul]");
  text.replace(text.find("[2, 8]"), 6, "[2]");
  const Answer answer = sweep(scratch.write("s.yaml", text) + " --json");
  CHECK(answer.exit_code == 1);
  CHECK_THAT(json::parse(answer.out)["rows"][0]["error"].get<std::string>(),
             Contains("scheduler 'longhaul' decides more than a placement"));
}

TEST_CASE("mistakes of a sweep cost no waiting and leave nothing behind") {
  const Scratch scratch;
  const std::string out = scratch.path("out");
  const Answer bad = sweep(scratch.write("s.yaml", study("[0 ms, 5]")) + " --out " + out);
  CHECK(bad.exit_code == 2);
  CHECK_THAT(bad.error, Contains("s.yaml:6:") && Contains("unit"));
  CHECK_FALSE(std::filesystem::exists(out));
  const std::string file = scratch.write("s.yaml", study());
  for (const char* shard : {"0/3", "4/3", "3", "a/b", "1/0", "-1/3"}) {
    const Answer answer = sweep(file + " --shard " + shard + " --out " + out);
    CHECK(answer.exit_code == 2);
    CHECK_THAT(answer.error, Contains("is no shard"));
  }
  CHECK(sweep(file + " --resume").exit_code == 2);
  CHECK(sweep("no_such_study").exit_code == 2);
  CHECK(longhaul_program("merge " + scratch.folder()).exit_code == 2);
  CHECK(longhaul_program("merge " + scratch.path("nowhere")).exit_code == 2);
}

TEST_CASE("a sweep does not go on from results of another study, and does not overwrite any") {
  const Scratch scratch;
  const std::string out = scratch.path("out");
  REQUIRE(sweep(scratch.write("s.yaml", study()) + " --out " + out).exit_code == 0);
  const std::string journal = contents(out + "/points.jsonl");
  CHECK_THAT(sweep(scratch.path("s.yaml") + " --out " + out).error, Contains("has begun here already"));
  scratch.write("s.yaml", study("[0 ms, 2 ms, 100 ms]"));
  CHECK_THAT(sweep(scratch.path("s.yaml") + " --resume --out " + out).error, Contains("results of something else"));
  CHECK(contents(out + "/points.jsonl") == journal);
}

TEST_CASE("shipped studies can be read to the last point's scenario") {
  for (const char* name : {"eight_cities_bandwidth", "eight_cities_delay", "eight_cities_upgrades",
                           "number_of_cities", "eight_cities_batch", "eight_cities_compression"}) {
    const Answer answer = longhaul_program(std::string("validate scenarios/studies/") + name + ".yaml");
    INFO(answer.error);
    CHECK(answer.exit_code == 0);
    CHECK_THAT(answer.out, Contains(std::string("study '") + name + "'"));
  }
}
