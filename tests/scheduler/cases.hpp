// The five cases of DT-FM (arXiv 2206.01288) as its scheduler's configuration states them, and small helpers for
// tests.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/scheduler.hpp"
#include "sim/base/error.hpp"
#include "sim/base/random.hpp"

namespace longhaul::cases {

inline Path path(double milliseconds, double gigabits_per_second) {
  return {Seconds(milliseconds / 1e3), BytesPerSecond(gigabits_per_second * 1e9 / 8)};
}

/// A platform of `devices` nameless devices with path_between(from, to) for from != to.
template <class PathBetween>
PlatformView platform_of(std::size_t devices, PathBetween path_between) {
  std::vector<Device> all(devices);
  std::vector<Path> paths(devices * devices);
  for (std::size_t from = 0; from < devices; ++from) {
    all[from].name = "device-" + std::to_string(from);
    for (std::size_t to = 0; to < devices; ++to)
      if (from != to) paths[from * devices + to] = path_between(from, to);
  }
  return PlatformView("test", std::move(all), std::move(paths));
}

/// 8 machines of 8 GPUs, 100 Gbps inside; 25 Gbps per machine between = 3.125 per GPU.
inline PlatformView data_centre() {
  return platform_of(64, [](std::size_t a, std::size_t b) { return path(0, a / 8 == b / 8 ? 100 : 3.125); });
}

/// 8 machines of 4 GPUs, then 32 of 1; 100 Gbps inside, 1.25 per GPU between.
inline PlatformView spot_instances() {
  return platform_of(
      64, [](std::size_t a, std::size_t b) { return path(0, a < 32 && b < 32 && a / 4 == b / 4 ? 100 : 1.25); });
}

/// 32 devices in Ohio, 32 in Virginia.
inline PlatformView two_universities() {
  return platform_of(64, [](std::size_t a, std::size_t b) { return a / 32 == b / 32 ? path(1, 5) : path(11, 1.12); });
}

struct CityPair {
  std::size_t a;
  std::size_t b;
  double milliseconds;
  double gigabits_per_second;
};

template <std::size_t Pairs>
PlatformView cities(std::size_t devices_per_city, std::size_t number, const std::array<CityPair, Pairs>& pairs) {
  return platform_of(devices_per_city * number, [&](std::size_t from, std::size_t to) {
    const std::size_t here = from / devices_per_city;
    const std::size_t there = to / devices_per_city;
    for (const CityPair& pair : pairs)
      if ((pair.a == here && pair.b == there) || (pair.a == there && pair.b == here))
        return path(pair.milliseconds, pair.gigabits_per_second);
    return path(5, 2);
  });
}

/// 16 devices each in Virginia, Oregon, California, Ohio. Source: DS3Lab/DT-FM, generate_sim_com_matrices.py.
inline PlatformView regional() {
  static constexpr std::array<CityPair, 6> kPairs{
      {{0, 1, 67, 1.15}, {0, 2, 59, 1.05}, {0, 3, 11, 1.12}, {1, 2, 12, 1.25}, {1, 3, 49, 1.10}, {2, 3, 52, 1.02}}};
  return cities(16, 4, kPairs);
}

/// 8 devices each in Oregon, Virginia, Ohio, Tokyo, Seoul, London, Frankfurt, Ireland. Source: the measurements of
/// DT-FM, NCCL send/recv between AWS regions (DS3Lab/DT-FM, generate_sim_com_matrices.py).
inline PlatformView world_wide() {
  static constexpr std::array<CityPair, 28> kPairs{
      {{0, 1, 67, 0.79},   {0, 2, 49, 1.10},   {0, 3, 96, 0.523},  {0, 4, 124, 0.46},  {0, 5, 136, 0.42},
       {0, 6, 143, 0.404}, {0, 7, 124, 0.482}, {1, 2, 11, 1.12},   {1, 3, 143, 0.524}, {1, 4, 172, 0.500},
       {1, 5, 76, 1.16},   {1, 6, 90, 1.02},   {1, 7, 67, 1.05},   {2, 3, 130, 0.694}, {2, 4, 159, 0.529},
       {2, 5, 86, 1.05},   {2, 6, 99, 0.799},  {2, 7, 77, 1.14},   {3, 4, 34, 1.10},   {3, 5, 210, 0.366},
       {3, 6, 223, 0.36},  {3, 7, 199, 0.465}, {4, 5, 238, 0.342}, {4, 6, 235, 0.358}, {4, 7, 228, 0.335},
       {5, 6, 14, 1.14},   {5, 7, 12, 1.09},   {6, 7, 24, 1.08}}};
  return cities(8, 8, kPairs);
}

/// Random rank map 2022 of DS3Lab/DT-FM, scripts/aws_run_gpt3_scheduled_1gpu_training.sh: rank of each device.
inline std::vector<RankId> random_map_2022() {
  static constexpr std::array<unsigned, 64> kRanks{0,  2,  32, 33, 4,  10, 7,  45, 36, 8,  51, 26, 11, 5,  53, 1,
                                                   40, 23, 37, 14, 13, 43, 54, 21, 57, 35, 63, 18, 6,  24, 16, 22,
                                                   38, 3,  58, 61, 44, 27, 52, 30, 15, 9,  39, 47, 48, 41, 31, 20,
                                                   12, 28, 34, 42, 17, 55, 19, 25, 56, 60, 59, 50, 49, 46, 29, 62};
  std::vector<RankId> ranks;
  for (const unsigned rank : kRanks) ranks.emplace_back(rank);
  return ranks;
}

/// What DT-FM's scheduler counts: 0.65 GB of gradients; 506e6 / 2^30 "GB" of activations.
inline CostSizes paper_sizes() { return {Bytes(0.65e9), Bytes(506e6 / 1073741824.0 * 1e9)}; }

/// Random, asymmetric delays of 0 to 200 ms and bandwidths of 0.1 to 10 Gbps.
inline PlatformView random_platform(std::size_t devices, std::uint64_t seed) {
  RandomStream random(seed, "test platform");
  return platform_of(devices, [&](std::size_t, std::size_t) {
    const double milliseconds = static_cast<double>(random.below(201));
    return path(milliseconds, static_cast<double>(1 + random.below(100)) / 10);
  });
}

inline Problem problem_on(const PlatformView& platform, Degrees degrees, std::uint64_t seed = 1) {
  Plan fixed;
  fixed.degrees = degrees;
  fixed.layers_per_stage.assign(degrees.pipeline, 1);
  return {platform, fixed, paper_sizes(), SearchOptions{}, seed, {}, {}};
}

/// The decision of the scheduler with that name.
inline Decision plan_with(const char* scheduler, const Problem& problem) {
  const Scheduler* found = find_scheduler(scheduler);
  require(found != nullptr, "a test names a scheduler that does not exist");
  return found->plan(problem);
}

/// The cost as laid out of what the scheduler decided.
inline Cost cost_of(const Decision& decision, const Problem& problem) {
  return cost_of_placement(problem.platform, decision.plan, problem.sizes);
}

}  // namespace longhaul::cases
