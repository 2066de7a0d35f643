// Small platforms made in code, and jobs to run on them.
#pragma once

#include <string>

#include "sim/description/cluster.hpp"
#include "sim/description/job.hpp"
#include "sim/description/platform_loader.hpp"
#include "sim/description/platform_xml.hpp"
#include "sim/workload/plan.hpp"
#include "tests/support/scratch.hpp"

namespace longhaul {

inline LinkFigures link_figures(double delay, double bandwidth) {
  return {Seconds(delay), BytesPerSecond(bandwidth)};
}

/// One region per entry with that many machines of one GPU; every link 1 s (unless changed) and 100 B/s.
inline Cluster test_cluster(const std::vector<std::size_t>& machines, BandwidthLimit limit) {
  Cluster cluster;
  cluster.name = "test";
  cluster.source = "made for a test";
  cluster.delay = "one_way";
  cluster.limit = limit;
  for (std::size_t region = 0; region < machines.size(); ++region) {
    cluster.regions.push_back("r" + std::to_string(region));
    for (std::size_t i = 0; i < machines[region]; ++i) {
      Machine machine;
      machine.name = cluster.regions.back() + "-" + std::to_string(i);
      machine.region = region;
      machine.device_type = "V100-SXM2-16GB";
      cluster.machines.push_back(machine);
    }
  }
  cluster.between.assign(machines.size() * machines.size(), link_figures(1, 100));
  return cluster;
}

inline Platform load_xml(const std::string& xml) {
  const Scratch scratch;
  return load_platform(scratch.write("platform.xml", xml));
}

inline Platform load_cluster(const Cluster& cluster) { return load_xml(platform_xml(cluster)); }

/// The same in racks, however small.
inline Platform load_in_racks(const Cluster& cluster) { return load_xml(platform_xml(cluster, 0)); }

/// Forward and backward take the given times on every stage, messages have the given sizes.
inline Job test_job(double forward, double backward, double activation, double gradient) {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  job.compute.forward = Seconds(forward);
  job.compute.backward = Seconds(backward);
  job.compute.weight_update = Seconds(0);
  job.activation_bytes = Bytes(activation);
  job.gradient_bytes = Bytes(gradient);
  return job;
}

/// Identity placement.
inline Plan test_plan(std::size_t pipeline, std::size_t data, std::size_t micro_batches, const std::string& schedule,
                      const std::string& gradient_sync) {
  Plan plan;
  plan.degrees = {pipeline, data};
  plan.layers_per_stage = even_layers(24, pipeline);
  plan.micro_batches = micro_batches;
  plan.schedule = schedule;
  plan.gradient_sync = gradient_sync;
  for (std::size_t rank = 0; rank < pipeline * data; ++rank) plan.rank_of_device.emplace_back(rank);
  return plan;
}

}  // namespace longhaul
