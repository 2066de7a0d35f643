#include "sim/description/device_type.hpp"

#include <catch2/catch.hpp>

#include "tests/description/error_of.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

TEST_CASE("device types carry their data sheet's figures and a source") {
  const std::vector<DeviceType> types = device_types();
  CHECK(types.size() == 27);
  for (const DeviceType& type : types) {
    INFO(type.name);
    CHECK(type.peak.value >= 12e12);
    CHECK(type.fp32.has_value());
    CHECK(type.peak == type.fp16.value_or(*type.fp32));
    CHECK(type.peak.value < 1e15);
    CHECK_FALSE(type.source.empty());
  }
  const DeviceType* v100 = find_device_type(types, "V100-SXM2-16GB");
  REQUIRE(v100 != nullptr);
  CHECK(v100->peak == FlopsPerSecond(125e12));
  CHECK(v100->memory == Bytes(16e9));
  CHECK(v100->memory_bandwidth == BytesPerSecond(900e9));
  CHECK_FALSE(v100->link_bandwidth.has_value());
  const DeviceType* h100 = find_device_type(types, "H100-SXM-80GB");
  REQUIRE(h100 != nullptr);
  CHECK(h100->link == "NVLink 4");
  CHECK(h100->link_bandwidth == BytesPerSecond(450e9));
  CHECK(find_device_type(types, "V100") == nullptr);
}

TEST_CASE("a precision picks a peak, and some devices lack one") {
  const std::vector<DeviceType> types = device_types();
  const DeviceType* v100 = find_device_type(types, "V100-SXM2-16GB");
  CHECK(peak_in(*v100, "fp16") == FlopsPerSecond(125e12));
  CHECK(peak_in(*v100, "fp32") == FlopsPerSecond(15.7e12));
  CHECK_FALSE(peak_in(*v100, "bf16").has_value());
  const DeviceType* p40 = find_device_type(types, "P40-24GB");
  CHECK(p40->peak == FlopsPerSecond(12e12));
  CHECK_FALSE(peak_in(*p40, "fp16").has_value());
}

TEST_CASE("a device type that is not as described is an error") {
  const Scratch scratch;
  const auto message = [&](const std::string& text) {
    return error_of([&] { read_device_types(scratch.write("types.yaml", text)); });
  };
  CHECK_THAT(message("X: {source: me}\n"), Contains("types.yaml:1:4: X: key 'peak' is missing"));
  CHECK_THAT(message("X: {peak: 1 TFLOPS}\n"), Contains("X: key 'source' is missing"));
  CHECK_THAT(message("X: {peak: 125, source: me}\n"), Contains("X.peak: '125' has no unit"));
  CHECK_THAT(message("X: {peak: 0 TFLOPS, source: me}\n"), Contains("'0 TFLOPS' is zero"));
  CHECK_THAT(message("X: {peak: 1 TFLOPS, source: me, price: 3}\n"), Contains("unknown key 'price' in X"));
}
