// Ranges and tick marks, worked out by hand.
#include "analysis/chart_axes.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

using namespace longhaul;

namespace {

using Values = std::vector<double>;

AxisRange range(const Values& values, Scale scale, RangeKind kind) { return axis_range(values, scale, kind); }

}  // namespace

TEST_CASE("a range holds its values and nothing that has no place on its scale") {
  const double infinite = std::numeric_limits<double>::infinity();
  const AxisRange tight = range({3, 1, NAN, infinite, -2, 0}, Scale::logarithmic, RangeKind::tight);
  CHECK(tight.low == 1);
  CHECK(tight.high == 3);
  const AxisRange from_zero = range({7, 93}, Scale::linear, RangeKind::from_zero);
  CHECK(from_zero.low == 0);
  CHECK(from_zero.high == 100);
  const AxisRange negative = range({-1, 1}, Scale::linear, RangeKind::from_zero);
  CHECK(negative.low < -1);
  CHECK(negative.high > 1);
}

TEST_CASE("a range is never empty") {
  for (const Scale scale : {Scale::linear, Scale::logarithmic})
    for (const RangeKind kind : {RangeKind::tight, RangeKind::padded, RangeKind::from_zero})
      for (const Values& values : {Values{}, Values{5}, Values{0}, Values{-3, -3}, Values{1e-95}, Values{1e300, NAN},
                                   Values{5e-324, 1e-323}, Values{1, std::nextafter(1, 2)}}) {
        const AxisRange result = range(values, scale, kind);
        CHECK(result.low < result.high);
        CHECK(std::isfinite(result.high - result.low));
        CHECK((scale == Scale::linear || result.low > 0));
        CHECK(ticks_of(result, 8).size() >= 2);
      }
}

TEST_CASE("tick marks are 1, 2, 5 times powers of ten, as many as asked for") {
  CHECK(ticks_of({0, 100, Scale::linear}, 5) == Values{0, 20, 40, 60, 80, 100});
  CHECK(ticks_of({-0.11, 0.31, Scale::linear}, 5) == Values{-0.1, 0, 0.1, 0.2, 0.3});
  CHECK(ticks_of({0.1, 100, Scale::logarithmic}, 10) == Values{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100});
  CHECK(ticks_of({0.1, 100, Scale::logarithmic}, 6) == Values{0.1, 1, 10, 100});
  CHECK(ticks_of({0.5, 2e12, Scale::logarithmic}, 5) == Values{1, 1000, 1e6, 1e9, 1e12});
  CHECK(ticks_of({31, 39, Scale::logarithmic}, 8) == Values{32, 34, 36, 38});
}
