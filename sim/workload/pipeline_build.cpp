#include "sim/workload/pipeline_build.hpp"

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

const PipelineSchedule& schedule_of(const Plan& plan) {
  const PipelineSchedule* schedule = find_pipeline_schedule(plan.schedule);
  require(schedule != nullptr, "the plan names no pipeline schedule");
  return *schedule;
}

}  // namespace

PipelineBuild::PipelineBuild(const Job& the_job, const Plan& the_plan, const PlatformView& the_platform,
                             const NetworkModel& the_network)
    : job(the_job),
      plan(the_plan),
      platform(the_platform),
      network(the_network),
      schedule(schedule_of(the_plan)),
      times(job, plan, platform, network),
      last(plan.ranks()) {}

Tasklet PipelineBuild::local(TaskletKind kind, RankId rank) const {
  Tasklet task;
  task.kind = kind;
  task.rank = rank;
  task.device = task.target = times.device(rank);
  return task;
}

}  // namespace longhaul
