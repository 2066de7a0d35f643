// Errors, lines and rankings of small cases, worked out by hand.
#include <catch2/catch.hpp>

#include "analysis/error_summary.hpp"
#include "analysis/line_fit.hpp"
#include "analysis/pair_ranking.hpp"

using namespace longhaul;

namespace {

CaseResult result(double recorded, double simulated, double tolerance, Compare compare = Compare::equal) {
  return {"", recorded, simulated, tolerance, compare};
}

}  // namespace

TEST_CASE("a case passes within its tolerance, both edges included") {
  CHECK(result(100, 115, 0.15).passed());
  CHECK(result(100, 85, 0.15).passed());
  CHECK_FALSE(result(100, 115.1, 0.15).passed());
  CHECK_FALSE(result(100, 84.9, 0.15).passed());
  CHECK(result(3, 3, 0).passed());
  CHECK(result(100, 1, 0.15, Compare::at_most).passed());
  CHECK(result(100, 115, 0.15, Compare::at_most).passed());
  CHECK_FALSE(result(100, 115.1, 0.15, Compare::at_most).passed());
}

TEST_CASE("a summary is the mean, the signed mean, the largest and the share within ten percent") {
  // Errors +10 %, -20 %, 0, +2 %.
  const ErrorSummary summary =
      summary_of({result(10, 11, 0.15), result(10, 8, 0.15), result(4, 4, 0.15), result(50, 51, 0.01)});
  CHECK(summary.cases == 4);
  CHECK(summary.passed == 2);
  CHECK(summary.mean_absolute_error == Approx(0.08));
  CHECK(summary.bias == Approx(-0.02));
  CHECK(summary.worst == Approx(-0.2));
  CHECK(summary.within_ten_percent == Approx(0.75));
}

TEST_CASE("slope and intercept errors of lines, by least squares") {
  // Line a: recorded 10 + 2 x, simulated 12 + 1.5 x. Line b: recorded through (0, 1), (1, 3), (2, 2): mean 2, slope
  // 0.5, intercept 1.5; simulated 3 everywhere. Line c has one x only.
  const std::vector<LineError> errors = line_errors({{"a", 1, 12, 13.5},
                                                     {"b", 0, 1, 3},
                                                     {"a", 3, 16, 16.5},
                                                     {"c", 5, 1, 1},
                                                     {"b", 1, 3, 3},
                                                     {"b", 2, 2, 3},
                                                     {"c", 5, 2, 2}});
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].line == "a");
  CHECK(errors[0].points == 2);
  CHECK(errors[0].recorded.slope == Approx(2));
  CHECK(errors[0].recorded.intercept == Approx(10));
  CHECK(*errors[0].slope_error == Approx(-0.25));
  CHECK(*errors[0].intercept_error == Approx(0.2));
  CHECK(errors[1].recorded.slope == Approx(0.5));
  CHECK(errors[1].recorded.intercept == Approx(1.5));
  CHECK(*errors[1].slope_error == Approx(-1));
  CHECK(*errors[1].intercept_error == Approx(1));
  const MeanLineError mean = mean_line_error(errors);
  CHECK(*mean.slope == Approx(0.625));
  CHECK(*mean.intercept == Approx(0.6));
}

TEST_CASE("a recorded slope of zero has no relative error, a negative intercept has a signed one") {
  const std::vector<LineError> flat = line_errors({{"", 0, 5, 5}, {"", 1, 5, 6}});
  REQUIRE(flat.size() == 1);
  CHECK_FALSE(flat[0].slope_error.has_value());
  CHECK_FALSE(mean_line_error(flat).slope.has_value());
  CHECK(*flat[0].intercept_error == Approx(0).margin(1e-12));
  // Recorded -1 + 2 x, simulated -0.5 + 2 x: the intercept is larger than it should be by half.
  const std::vector<LineError> below = line_errors({{"", 1, 1, 1.5}, {"", 2, 3, 3.5}});
  CHECK(*below[0].intercept_error == Approx(0.5));
}

TEST_CASE("pairs count where the recorded values differ enough, and are right in the same strict order") {
  const auto ranked = [](const std::string& group, const std::string& by, const std::string& label, double recorded,
                         double simulated) { return RankedCase{group, by, label, recorded, simulated, 0.05}; };
  const std::vector<RankingResult> results = rankings_of({
      ranked("g", "batch=1", "a", 10, 9), ranked("g", "batch=1", "b", 20, 18),
      ranked("g", "batch=1", "c", 20.5, 8),  // against b too near; against a wrong
      ranked("g", "batch=2", "d", 30, 1),    // alone
      ranked("h", "batch=1", "e", 10, 5), ranked("h", "batch=1", "f", 10.6, 5),  // equal is wrong
      ranked("g", "batch=3", "x", 30, 1), ranked("g", "batch=3", "y", 20, 0.5),  // falling order
  });
  REQUIRE(results.size() == 2);
  CHECK(results[0].group == "g");
  CHECK(results[0].pairs == 3);
  CHECK(results[0].right == 2);
  CHECK(results[0].wrong == std::vector<std::pair<std::string, std::string>>{{"a", "c"}});
  CHECK(results[1].pairs == 1);
  CHECK(results[1].right == 0);
}

TEST_CASE("of two limits of a pair the larger counts") {
  const std::vector<RankingResult> results =
      rankings_of({{"g", "", "a", 10, 1, 0.05}, {"g", "", "b", 11, 2, 0.2}, {"g", "", "c", 13, 3, 0.05}});
  CHECK(results[0].pairs == 1);  // a and c; b differs from neither by 20 %
}
