// Workload builders by name: what kind of iteration a plan runs.
#pragma once

#include <string>
#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"
#include "sim/workload/tasklet_graph.hpp"

namespace longhaul {

/// A builder is a function with a name. Adding one: a .cpp file, a line in the table of workload_builder.cpp.
struct WorkloadBuilder {
  const char* name;
  const char* summary;  // one line for `longhaul list workloads`
  bool trains;          // it computes; otherwise it is a benchmark of the network
  TaskletGraph (*build)(const Job& job, const Plan& plan, const PlatformView& platform, const NetworkModel& network);
};

const std::vector<WorkloadBuilder>& workload_builders();

/// The builder with that name, or null.
const WorkloadBuilder* find_workload_builder(const std::string& name);

}  // namespace longhaul
