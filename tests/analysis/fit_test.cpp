// Fits of functions whose optimum is known.
#include <cmath>

#include <catch2/catch.hpp>

#include "analysis/least_absolute.hpp"
#include "analysis/minimize.hpp"
#include "analysis/parameter.hpp"
#include "tests/description/error_of.hpp"

using namespace longhaul;

namespace {

using Function = std::vector<double> (*)(const Point&);

Minimum minimum_of(Function function, const Point& start, std::size_t budget) {
  return minimize_mean_absolute(
      [&](const std::vector<Point>& points) {
        std::vector<std::vector<double>> residuals;
        for (const Point& point : points) {
          for (const double coordinate : point) CHECK((coordinate >= 0 && coordinate <= 1));
          residuals.push_back(function(point));
        }
        return residuals;
      },
      start, budget);
}

}  // namespace

TEST_CASE("the least absolute step of a line through an outlier is the median, not the mean") {
  // Residuals d - {0.1, 0.2, 0.9}.
  const LinearResiduals problem{{-0.1, -0.2, -0.9}, {{1}, {1}, {1}}};
  CHECK(least_absolute_step(problem, {-1}, {1})[0] == Approx(0.2).margin(1e-3));
  CHECK(least_absolute_step(problem, {-1}, {0.15})[0] == Approx(0.15));
}

TEST_CASE("a coordinate held at its edge lets the others do what is left") {
  // (x + y - 1), (x - y): free optimum 0.5, 0.5; with y at most 0.2 the first alone is met at x = 0.8.
  const LinearResiduals problem{{-1, -1, 0}, {{1, 1}, {1, 1}, {1, -1}}};
  const std::vector<double> step = least_absolute_step(problem, {-1, -1}, {1, 0.2});
  CHECK(step[0] == Approx(0.8).margin(1e-3));
  CHECK(step[1] == Approx(0.2));
}

TEST_CASE("curved residuals of two coupled parameters are met exactly") {
  const Minimum minimum = minimum_of(
      [](const Point& p) {
        const double x = p[0] + 0.5;
        const double y = p[1];
        return std::vector<double>{(1 / x + y) / (1 / 0.8 + 0.1) - 1, (1 / x + 5 * y) / (1 / 0.8 + 0.5) - 1,
                                   std::sqrt(x + y) / std::sqrt(0.9) - 1};
      },
      {1, 0.9}, 80);
  CHECK(minimum.point[0] == Approx(0.3).margin(1e-4));
  CHECK(minimum.point[1] == Approx(0.1).margin(1e-4));
  CHECK(minimum.evaluations <= 80);
}

TEST_CASE("an optimum beyond the bounds is found at the bound") {
  const Minimum minimum = minimum_of(
      [](const Point& p) {
        return std::vector<double>{p[0] + 0.5, 0.1 * (p[1] - 0.4)};
      },
      {0.7, 0.7}, 60);
  CHECK(minimum.point[0] == 0);
  CHECK(minimum.point[1] == Approx(0.4).margin(1e-3));
}

TEST_CASE("steps where the slope misleads are left to the simplex") {
  // Flat stairs: finite differences see nothing.
  const Minimum minimum = minimum_of(
      [](const Point& p) { return std::vector<double>{std::abs(std::round(p[0] * 80) / 80 - 0.25) + 0.1}; }, {0.5},
      80);
  CHECK(minimum.mean_absolute < 0.35);
}

TEST_CASE("the budget holds, however small, and a parameter that changes nothing does no harm") {
  for (const std::size_t budget : {1, 2, 3, 5, 8}) {
    const Minimum minimum = minimum_of(
        [](const Point& p) {
          return std::vector<double>{p[0] - 0.2, 0.3};
        },
        {0.9, 0.5}, budget);
    CHECK(minimum.evaluations <= budget);
    CHECK(minimum.mean_absolute <= (0.7 + 0.3) / 2 + 1e-12);
  }
  CHECK(minimum_of(
            [](const Point& p) {
              return std::vector<double>{p[0] - 0.2, 0.3};
            },
            {0.9, 0.5}, 60)
            .point[0] == Approx(0.2).margin(1e-4));
}

TEST_CASE("parameters speak the unit of their upper bound") {
  const auto parameter = [](const std::string& bounds) {
    return read_parameter("network.x", Config::parse("b: " + bounds, "f.yaml").at("b"));
  };
  const Parameter time = parameter("[0 s, 40 ms]");
  CHECK(time.high == Approx(40));
  CHECK(*value_in_unit(time, "0.01 s") == Approx(10));
  CHECK_FALSE(value_in_unit(time, "0.01").has_value());
  CHECK(text_of(time, 5) == "5 ms");
  CHECK(text_of(parameter("[0.5, 1]"), 0.8) == "0.8");
  CHECK(*value_in_unit(parameter("[1 MiB, 4MiB]"), "2097152 B") == Approx(2));
  for (const char* bad : {"[1, 0]", "[1, 1]", "[1]", "[0, 40 ms]", "[0 ms, 40]", "[a, b]", "5", "[-1, 1]"}) {
    INFO(bad);
    CHECK_THAT(error_of([&] { parameter(bad); }), Catch::StartsWith("f.yaml:1:") && Catch::Contains("; accepted: "));
  }
}
