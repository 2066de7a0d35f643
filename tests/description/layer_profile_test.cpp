#include "sim/description/layer_profile.hpp"

#include <catch2/catch.hpp>

#include "tests/description/error_of.hpp"

using namespace longhaul;
using Catch::Matchers::Contains;

namespace {

PartTimes times(double forward, double backward) { return {Seconds(forward), Seconds(backward), {}, {}}; }

Model shape(const std::string& name, std::int64_t hidden) {
  Model model;
  model.name = name;
  model.hidden = hidden;
  model.heads = model.key_value_heads = 1;
  model.feed_forward = 4 * hidden;
  model.sequence = 128;
  model.head = Head::none;
  return model;
}

// `slow` measured on two devices, `wide` on one of them.
LayerProfile two_models() {
  LayerProfile profile;
  profile.name = "made_up";
  profile.device_types = device_types();
  const Model slow = shape("slow", 256);
  profile.series = {
      {"slow",
       slow,
       "fp32",
       "A100-SXM4-40GB",
       {{1, 2, {}, times(2, 4), {}},
        {1, 4, {}, times(6, 8), {}},
        {2, 2, {}, times(1, 3), {}},
        {2, 4, {}, times(3, 5), {}}}},
      {"slow", slow, "fp32", "T4-16GB", {{1, 2, {}, times(6, 20), {}}}},
      {"wide", shape("wide", 512), "fp32", "A100-SXM4-40GB", {{1, 2, {}, times(10, 30), {}}}},
  };
  return profile;
}

ProfiledTimes asked(const Model& model, const std::string& device, std::size_t tensor, std::size_t micro_batch) {
  return profiled_times(two_models(), {model, "fp32", device, tensor, micro_batch});
}

}  // namespace

TEST_CASE("a profile is linear between micro-batches and in the slices' share") {
  const Model slow = shape("slow", 256);
  CHECK(asked(slow, "A100-SXM4-40GB", 1, 2).origin == "measured");
  const ProfiledTimes between = asked(slow, "A100-SXM4-40GB", 1, 3);
  CHECK(between.layer.forward.value == Approx(4));
  CHECK(between.layer.backward.value == Approx(6));
  CHECK(between.origin == "interpolated by micro-batch");
  CHECK(asked(slow, "A100-SXM4-40GB", 1, 8).layer.forward.value == Approx(14));
  CHECK(asked(slow, "A100-SXM4-40GB", 1, 8).origin == "extrapolated by micro-batch");
  const ProfiledTimes slices = asked(slow, "A100-SXM4-40GB", 4, 2);  // 2 at 1, 1 at 1/2: half of that at 1/4
  CHECK(slices.layer.forward.value == Approx(0.5));
  CHECK(slices.layer.backward.value == Approx(2.5));
}

TEST_CASE("a profile refuses what lies beyond twice what was measured") {
  const Model slow = shape("slow", 256);
  const auto error = [&](std::size_t tensor, std::size_t micro_batch) {
    return error_of([&] { asked(slow, "A100-SXM4-40GB", tensor, micro_batch); });
  };
  CHECK_THAT(error(1, 9), Contains("it was not measured near there"));
  CHECK_THAT(error(8, 2), Contains("tensor 8 and micro_batch 2"));
}

TEST_CASE("a model is scaled to another device by what another model takes on both") {
  const ProfiledTimes wide = asked(shape("wide", 512), "T4-16GB", 1, 2);
  CHECK(wide.layer.forward.value == Approx(10 * 6 / 2));
  CHECK(wide.layer.backward.value == Approx(30 * 20 / 4));
  CHECK(wide.origin == "scaled from A100-SXM4-40GB by what slow takes on both");
}

TEST_CASE("without a common model figures of the devices scale, the one that leaves more time") {
  // fp32: 19.5 to 15.7 TFLOPS is a factor of 1.24, memory 1555 to 900 GB/s of 1.73.
  const ProfiledTimes wide = asked(shape("wide", 512), "V100-SXM2-16GB", 1, 2);
  CHECK(wide.layer.forward.value == Approx(10 * 1555.0 / 900));
  CHECK(wide.origin == "scaled from A100-SXM4-40GB by memory bandwidth");
}

TEST_CASE("another model on the device is scaled by FLOP, the nearest one") {
  const Model other = shape("other", 300);
  const ProfiledTimes scaled = asked(other, "A100-SXM4-40GB", 1, 2);
  const double share = layer_forward_flops(other) / layer_forward_flops(shape("slow", 256));
  CHECK(scaled.layer.forward.value == Approx(2 * share));
  CHECK(scaled.origin == "scaled from slow of sequence 128 by FLOP");
}

TEST_CASE("a larger micro-batch that was faster bounds the smaller") {
  const LayerProfile profile = find_layer_profile("sailor", {});
  const Model opt = find_model("opt_350m", {});
  const ProfiledTimes one = profiled_times(profile, {opt, "fp32", "GH200", 4, 1});
  CHECK(one.layer.forward.value == Approx(0.001509));  // 0.002381 alone
  CHECK(one.layer.backward.value == Approx(0.001719));
  CHECK(one.origin == "bounded by micro-batch 2");
}

TEST_CASE("shipped profiles hold their sources' figures") {
  const LayerProfile sailor = find_layer_profile("sailor", {});
  const Model neo = find_model("gpt_neo_2.7b", {});
  CHECK(profiled_times(sailor, {neo, "fp32", "A100-SXM4-40GB", 2, 2}).layer.forward.value == Approx(0.005581));
  CHECK(profiled_times(sailor, {neo, "fp32", "GH200", 4, 4}).origin ==
        "scaled from A100-SXM4-40GB by what opt_350m takes on both");
  CHECK(profiled_activations(sailor, {neo, "fp32", "", 4, 2})->layer == Bytes(61087744.0 * 4 * 2));
  CHECK_FALSE(profiled_activations(sailor, {neo, "fp32", "", 8, 2}).has_value());
  const LayerProfile layers = find_layer_profile("zorse_cephalo", {});
  Model bert = find_model("bert_base", {});
  CHECK(profiled_times(layers, {bert, "fp32", "A10G-24GB", 1, 1}).layer.forward.value == Approx(0.0008456));
  CHECK(profiled_times(layers, {bert, "fp32", "T4-16GB", 1, 3}).origin == "interpolated by micro-batch");
}
