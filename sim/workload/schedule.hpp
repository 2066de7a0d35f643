// Pipeline schedules: in which order a stage computes the micro-batches of one pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/ids.hpp"

namespace longhaul {

struct PipelineStep {
  enum class Direction {
    forward,
    backward,         // all of it, or the gradients of the inputs only where the schedule splits it
    weight_gradient,  // the gradients of the weights, where the schedule splits backward
  } direction;
  std::size_t micro_batch;  // within the pass
  std::size_t chunk = 0;    // which of the stage's runs of layers
};

/// What a schedule needs to know of a pass.
struct PipelineShape {
  std::size_t stages = 1;
  std::size_t micro_batches = 1;
  std::size_t chunks = 1;                 // of each stage
  std::vector<std::size_t> warm_up = {};  // forwards ahead per stage, where the schedule takes them; empty = its own
};

/// A schedule is a function with a name. Adding one: a function, a line in the table of schedule.cpp.
struct PipelineSchedule {
  const char* name;
  const char* summary;   // one line for `longhaul list schedules`
  bool has_phases;       // all forwards come before all backwards, so a barrier fits between them
  bool interleaves;      // stages of several chunks, at least two; the others know one chunk
  bool takes_warm_up;    // forwards ahead of each stage may be given
  bool splits_backward;  // into steps for the gradients of the inputs, which are sent on, and of the weights
  /// The order on one stage: every micro-batch once forward on every chunk, later once backward, still later, where backward
  /// is split, once for the gradients of the weights. The last micro-batch is the last to complete the gradients of a chunk.
  std::vector<PipelineStep> (*steps)(Stage stage, const PipelineShape& shape);
};

const std::vector<PipelineSchedule>& pipeline_schedules();

/// The schedule with that name, or null.
const PipelineSchedule* find_pipeline_schedule(const std::string& name);

/// The direction that completes the gradients of a chunk.
inline PipelineStep::Direction completing_direction(const PipelineSchedule& schedule) {
  return schedule.splits_backward ? PipelineStep::Direction::weight_gradient : PipelineStep::Direction::backward;
}

/// Whether the schedule knows an order: an interleaving one needs two stages and chunks or more, and a multiple of the stages
/// as micro-batches; every other one chunk. Forwards ahead, if given, must not increase along the pipeline: stage s computes
/// w(s) + i + 1 forwards before backward i, which waits for stage s + 1 to have computed w(s + 1) + i + 1 of them; with
/// w(s) < w(s + 1) both wait for ever.
bool can_run(const PipelineSchedule& schedule, const PipelineShape& shape);

/// The first stage that would never get past its first backward with synchronous transfers, if there is one: that backward's
/// gradient waits for the stage's forward k(s) = min(w(s), m - 1), before which forward k(s) - 1 is handed over; the next stage
/// takes that only after its second backward if k(s) - 1 > w(s + 1) + 1, and this one waits for the first gradient to have left.
std::optional<Stage> stuck_when_synchronous(const PipelineSchedule& schedule, const PipelineShape& shape);

}  // namespace longhaul
