#include "sim/workload/sync_group.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {

std::vector<SyncGroup> sync_groups_of(const Job& job, const Plan& plan, Stage stage) {
  if (plan.degrees.copies() == 1 || plan.sync_groups == 1) {
    SyncGroup all;
    all.layers = plan.layers_per_stage[stage.value];
    return {all};
  }
  require(plan.sync_groups % plan.virtual_stages == 0, "a plan cuts chunks into unequal numbers of sync groups");
  std::vector<SyncGroup> groups = parts_of_stage(job, plan, stage, plan.sync_groups / plan.virtual_stages);
  std::reverse(groups.begin(), groups.end());
  return groups;
}

}  // namespace longhaul
