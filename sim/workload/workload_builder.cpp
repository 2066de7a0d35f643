#include "sim/workload/workload_builder.hpp"

#include "sim/workload/collective_workload.hpp"
#include "sim/workload/pipeline_workload.hpp"

namespace longhaul {

const std::vector<WorkloadBuilder>& workload_builders() {
  static const std::vector<WorkloadBuilder> table{
      {"training", "one iteration of pipeline-, tensor- and data-parallel training", true, pipeline_tasklets},
      {"collective", "one call of the collective plan.gradient_sync over all ranks, job.gradient_bytes each", false,
       collective_tasklets},
  };
  return table;
}

const WorkloadBuilder* find_workload_builder(const std::string& name) {
  for (const WorkloadBuilder& builder : workload_builders())
    if (name == builder.name) return &builder;
  return nullptr;
}

}  // namespace longhaul
