#include "sim/workload/tensor_sum.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/workload/rank_times.hpp"
#include "tests/support/program.hpp"

using namespace longhaul;

namespace {

MeasuredSums two_sizes() {
  MeasuredSums sums;
  sums.name = "measured";
  sums.curves = {{2, {{Bytes(100), Seconds(1)}, {Bytes(200), Seconds(3)}}}};
  return sums;
}

PlatformView four_devices(const std::vector<std::string>& machines) {
  std::vector<Device> devices;
  for (const std::string& machine : machines) devices.push_back({machine, "t", "r", machine, {}, {}});
  return {"test", devices, std::vector<Path>(devices.size() * devices.size())};
}

}  // namespace

TEST_CASE("measured sums are interpolated, and continue at the rate of the largest") {
  const MeasuredSums sums = two_sizes();
  CHECK(sums.time(2, Bytes(50)).value == 1);
  CHECK(sums.time(2, Bytes(150)).value == Approx(2));
  CHECK(sums.time(2, Bytes(400)).value == Approx(6));
  CHECK_THROWS_WITH(sums.time(3, Bytes(100)), Catch::Contains("no sums among 3 devices"));
}

TEST_CASE("the shipped sums reach the bandwidth of NVLink, and are not faster among more") {
  const MeasuredSums sums = find_measured_sums("nccl_a100", {});
  REQUIRE(sums.curves.size() == 7);
  for (const auto& curve : sums.curves) {
    const auto& [bytes, time] = curve.points.back();
    const double share = 2 * static_cast<double>(curve.members - 1) / static_cast<double>(curve.members);
    CHECK(share * (bytes / time).value == Approx(225e9).epsilon(0.15));
  }
  CHECK(sums.time(8, Bytes(1 << 30)) > sums.time(2, Bytes(1 << 30)));
}

TEST_CASE("slices of one machine take measured sums, others are exchanged") {
  NetworkModel network;
  Plan plan;
  plan.degrees = {1, 2, 2};
  plan.layers_per_stage = {1};
  const std::vector<DeviceId> devices{DeviceId(0), DeviceId(1), DeviceId(2), DeviceId(3)};
  const PlatformView platform = four_devices({"a", "a", "a", "b"});
  CHECK_FALSE(measured_sum(network, RankLayout(plan), platform, devices, RankId(0), Bytes(150)));
  network.tensor_sums = two_sizes();
  CHECK(measured_sum(network, RankLayout(plan), platform, devices, RankId(1), Bytes(150))->value == Approx(2));
  CHECK_FALSE(measured_sum(network, RankLayout(plan), platform, devices, RankId(2), Bytes(150)));
}

TEST_CASE("full recomputation sums twice as often in backward, selective does not") {
  Job job;
  job.recompute = Recompute::none;
  CHECK(tensor_sums(job, 3, PipelineStep::Direction::forward) == 6);
  CHECK(tensor_sums(job, 3, PipelineStep::Direction::backward) == 6);
  job.recompute = Recompute::full;
  CHECK(tensor_sums(job, 3, PipelineStep::Direction::backward) == 12);
  job.recompute = Recompute::selective;
  CHECK(tensor_sums(job, 3, PipelineStep::Direction::backward) == 6);
  CHECK(tensor_sums(job, 3, PipelineStep::Direction::weight_gradient) == 0);
}
