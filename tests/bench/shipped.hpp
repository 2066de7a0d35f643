// Jobs to measure on: shipped scenarios, and the common job grown to any number of GPUs.
#pragma once

#include <algorithm>
#include <string>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "sim/description/platform_loader.hpp"
#include "sim/description/scenario.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/pipeline_workload.hpp"

namespace longhaul {

inline std::string shipped(const std::string& path) { return std::string(LONGHAUL_SOURCE_DIR) + "/" + path; }

/// A scenario placed by identity.
struct BenchJob {
  Scenario scenario;
  Platform platform;
  Plan plan;

  BenchJob(const std::string& name, const std::vector<std::string>& assignments) {
    ScenarioSource source(shipped("scenarios/" + name + ".yaml"));
    for (const std::string& assignment : assignments) source.set(assignment);
    scenario = source.read();
    platform = load_platform(scenario.platform);
    place();
  }
  void place() {
    plan = fixed_plan(scenario, platform.view.size());
    for (std::size_t i = 0; i < platform.view.size(); ++i) plan.rank_of_device.emplace_back(i);
  }
  TaskletGraph graph() const { return pipeline_tasklets(scenario.job, plan, platform.view, scenario.network); }
};

/// The common job ("job W"): 64 GPUs.
inline BenchJob common_job(std::int64_t micro_batches) {
  return {"common_job", {"job.micro_batches=" + std::to_string(micro_batches)}};
}

inline Cluster grown_cluster(std::int64_t gpus) {
  Cluster cluster = read_cluster(shipped("platforms/common_job.yaml"));
  const Machine machine = cluster.machines.front();
  cluster.machines.assign(static_cast<std::size_t>(gpus), machine);
  for (std::size_t i = 0; i < cluster.machines.size(); ++i)
    cluster.machines[i].name = "anywhere-" + std::to_string(i);
  return cluster;
}

/// The same with more replicas: pipelines of 8 stages, 16 micro-batches, gradients as one piece along a chain, some 60
/// tasklets per GPU.
inline BenchJob grown_job(std::int64_t gpus) {
  BenchJob job = common_job(16);
  job.platform = load_platform(grown_cluster(gpus), "grown common job");
  job.scenario.plan.data = static_cast<std::size_t>(gpus / 8);
  job.scenario.plan.gradient_sync = "central_server";
  job.scenario.network.chunk = Bytes(1e12);
  job.place();
  return job;
}

inline void count_tasklets(benchmark::State& state, std::size_t tasklets) {
  state.counters["tasklets"] = static_cast<double>(tasklets);
  state.counters["tasklets/s"] =
      benchmark::Counter(static_cast<double>(tasklets * state.iterations()), benchmark::Counter::kIsRate);
}

/// Of those that have ended. On a busy machine it says more than the clock.
inline double processor_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The most memory that this process or one of its children has had so far.
inline void count_memory(benchmark::State& state) {
  long kilobytes = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    kilobytes = std::max(kilobytes, usage.ru_maxrss);
  }
  state.counters["peak_MB"] = static_cast<double>(kilobytes) / 1024;
}

}  // namespace longhaul
