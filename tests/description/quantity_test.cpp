#include "sim/description/quantity.hpp"

#include <catch2/catch.hpp>

using namespace longhaul;

TEST_CASE("quantities read as people write them") {
  CHECK(parse_quantity("67 ms", Dimension::duration) == 0.067);
  CHECK(parse_quantity("67ms", Dimension::duration) == 0.067);
  CHECK(parse_quantity("2 min", Dimension::duration) == 120.0);
  CHECK(parse_quantity("0.79 Gbps", Dimension::bandwidth) == 0.79e9 / 8);
  CHECK(parse_quantity("150 GB/s", Dimension::bandwidth) == 150e9);
  CHECK(parse_quantity("0.65 GiB", Dimension::size) == 0.65 * 1024 * 1024 * 1024);
  CHECK(parse_quantity("125 TFLOPS", Dimension::speed) == 125e12);
}

TEST_CASE("what is no quantity is nothing") {
  const char* const wrong[] = {"",      "67",      "ms",     "67 m",     "67 Gbps", "nan ms",
                               "inf s", "1e400 s", "6 7 ms", "67 ms ms", "0x10 s"};
  for (const char* text : wrong) {
    INFO(text);
    CHECK_FALSE(parse_quantity(text, Dimension::duration).has_value());
  }
  CHECK_FALSE(parse_quantity("1 Gb", Dimension::bandwidth).has_value());
}

TEST_CASE("the shortest text of a number reads back as the same number") {
  for (const double value : {0.0, 1.0, 0.067, 1.0 / 3, 98750000.0, 471249222.7554321, 1e-9, 1e18, 0.00001}) {
    const std::string text = shortest(value);
    INFO(text);
    CHECK(std::stod(text) == value);
  }
  CHECK(shortest(10) == "10");
  CHECK(shortest(0.00001) == "0.00001");
}
