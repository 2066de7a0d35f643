// Pipeline schedules: in which order a stage computes the micro-batches of one pass.
#pragma once

#include <string>
#include <vector>

#include "sim/base/ids.hpp"

namespace longhaul {

struct PipelineStep {
  enum class Direction { forward, backward } direction;
  std::size_t micro_batch;  // within the pass
};

/// A schedule is a function with a name. Adding one: a function, a line in the table of schedule.cpp.
struct PipelineSchedule {
  const char* name;
  const char* summary;  // one line for `longhaul list schedules`
  bool has_phases;      // all forwards come before all backwards, so a barrier fits between them
  /// The order on one stage: every micro-batch once forward, later once backward.
  std::vector<PipelineStep> (*steps)(Stage stage, std::size_t stages, std::size_t micro_batches);
};

const std::vector<PipelineSchedule>& pipeline_schedules();

/// The schedule with that name, or null.
const PipelineSchedule* find_pipeline_schedule(const std::string& name);

}  // namespace longhaul
