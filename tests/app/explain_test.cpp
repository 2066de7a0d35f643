// `longhaul explain` as a user runs it.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;
using nlohmann::json;

namespace {

json explain_json(const std::string& arguments) {
  const Answer answer = longhaul_program("explain " + arguments + " --json");
  INFO(arguments << "\n" << answer.error);
  REQUIRE(answer.exit_code == 0);
  return json::parse(answer.out);
}

double sum(const json& parts) {
  double seconds = 0;
  for (const json& part : parts) seconds += part["seconds"].get<double>();
  return seconds;
}

int sign(double value) { return std::abs(value) < 1e-9 ? 0 : value > 0 ? 1 : -1; }

}  // namespace

TEST_CASE("four regions: doubling a link is predicted in sign, the five largest within 20 %") {
  // Few and large messages, so that it is quick under the sanitizers.
  const json result = explain_json(
      "four_regions --scheduler identity --schedulers identity --set job.micro_batches=8 --set job.global_batch=128 "
      "--set network.chunk='64 MiB'");
  std::vector<std::pair<double, double>> gains;  // simulated, predicted
  for (const json& one : result["sensitivities"])
    gains.emplace_back(one["twice_gain_seconds"]["simulated"], one["twice_gain_seconds"]["predicted"]);
  std::sort(gains.begin(), gains.end(),
            [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  REQUIRE(gains.size() >= 8);
  for (const auto& [simulated, predicted] : gains) CHECK(sign(simulated) == sign(predicted));
  for (std::size_t i = 0; i < 5; ++i) CHECK(gains[i].second == Approx(gains[i].first).epsilon(0.2));
  const double iteration = result["iteration_seconds"];
  CHECK(sum(result["critical_path"]["phases"]) == Approx(iteration));
  CHECK(sum(result["critical_path"]["links"]) + sum(result["critical_path"]["devices"]) == Approx(iteration));
  CHECK(result["best_plans"].is_null());
}

TEST_CASE("a link that cannot become twice as fast is left out, and explain says so") {
  const std::string fast = "two_sites_smoke --set links.between_regions.bandwidth='600 Tbps'";
  const json result = explain_json(fast);
  CHECK(result["skipped"].size() == 7);  // both links, four regions, the class
  for (const json& one : result["sensitivities"])
    CHECK(std::find(result["skipped"].begin(), result["skipped"].end(), one["name"]) == result["skipped"].end());
  CHECK_FALSE(result["sensitivities"].empty());
  CHECK(result["best_plans"]["grid"].back()["factor"] == 1);
  CHECK_THAT(
      longhaul_program("explain " + fast).out,
      Catch::Contains("left out, as twice as fast they would pass 1000 Tbps, the most of a link: north->south"));
}

TEST_CASE("explain writes what it prints, twice the same, and says it in words") {
  const Scratch scratch;
  const Answer first = longhaul_program("explain two_sites_smoke --json --out " + scratch.path("out"));
  REQUIRE(first.exit_code == 0);
  CHECK(first.error.empty());
  std::ifstream stream(scratch.path("out/explanation.json"));
  CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == first.out);
  CHECK(longhaul_program("explain two_sites_smoke --json").out == first.out);
  const json result = json::parse(first.out);
  CHECK(result["best_plans"]["schedulers"] == json({"identity", "megatron", "random"}));
  CHECK(result["best_plans"]["grid"].size() == 13);
  const Answer words = longhaul_program("explain two_sites_smoke");
  CHECK_THAT(words.out, Catch::StartsWith("two_sites_smoke, plan by identity: an iteration takes 4.37 s. ") &&
                            Catch::Contains("of the critical path is gradient sync") &&
                            Catch::Contains("next bottleneck") && Catch::Contains("best plan over the bandwidth"));
}

TEST_CASE("a factor of the user's own stays in force under those of explain") {
  const json result =
      explain_json("two_sites_smoke --schedulers identity --set links.between_regions.bandwidth_factor=2");
  CHECK(result["iteration_seconds"].get<double>() < 3);
  for (const json& one : result["sensitivities"])
    if (one["name"] == "between_regions") {
      const double gain = one["twice_gain_seconds"]["simulated"];
      CHECK(gain > 0);
      CHECK(gain < result["iteration_seconds"].get<double>() / 2);
    }
}

TEST_CASE("on a SimGrid file the critical path is explained, what would help is not, and it says so") {
  const std::string platform = "two_sites_smoke --set platform=platforms/two_sites.xml";
  const json result = explain_json(platform);
  CHECK_FALSE(result["changeable"].get<bool>());
  CHECK(result["sensitivities"].empty());
  CHECK(result["next_bottleneck"].is_null());
  CHECK(sum(result["critical_path"]["phases"]) == Approx(result["iteration_seconds"].get<double>()));
  CHECK_THAT(longhaul_program("explain " + platform).out, Catch::Contains("cannot be changed by class"));
}
