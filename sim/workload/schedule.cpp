#include "sim/workload/schedule.hpp"

#include <algorithm>

namespace longhaul {
namespace {

using Direction = PipelineStep::Direction;

// All forwards, then all backwards in the same order (arXiv 1811.06965; DT-FM runs backwards first to last).
std::vector<PipelineStep> gpipe(Stage /*stage*/, const PipelineShape& shape) {
  std::vector<PipelineStep> steps;
  for (std::size_t i = 0; i < shape.micro_batches; ++i) steps.push_back({Direction::forward, i});
  for (std::size_t i = 0; i < shape.micro_batches; ++i) steps.push_back({Direction::backward, i});
  return steps;
}

// A stage runs as many forwards ahead as there are stages after it, then alternates (arXiv 2104.04473 section 2.2.1). With
// `depth` times as many micro-batches in flight, gradients have that much longer to come back before a stage waits for them.
template <std::size_t depth>
std::vector<PipelineStep> one_forward_one_backward(Stage stage, const PipelineShape& shape) {
  const std::size_t micro_batches = shape.micro_batches;
  const std::size_t own = depth * (shape.stages - stage.value) - 1;
  const std::size_t ahead = std::min(shape.warm_up.empty() ? own : shape.warm_up[stage.value], micro_batches);
  std::vector<PipelineStep> steps;
  for (std::size_t i = 0; i < ahead; ++i) steps.push_back({Direction::forward, i});
  for (std::size_t i = ahead; i < micro_batches; ++i) {
    steps.push_back({Direction::forward, i});
    steps.push_back({Direction::backward, i - ahead});
  }
  for (std::size_t i = micro_batches - ahead; i < micro_batches; ++i) steps.push_back({Direction::backward, i});
  return steps;
}

// Virtual stages: the chunks of all stages in turns. Micro-batches go through a chunk in groups of as many as there are
// stages, and a stage runs its chunks in turns, a group each; it warms up with two forwards for every stage after it and a
// group for every chunk but one (arXiv 2104.04473 section 2.2.2).
std::vector<PipelineStep> interleaved(Stage stage, const PipelineShape& shape) {
  const std::size_t all = shape.micro_batches * shape.chunks;
  const auto step = [&](Direction direction, std::size_t number) {
    const std::size_t in_round = number % (shape.stages * shape.chunks);
    const std::size_t turn = in_round / shape.stages;
    const std::size_t micro_batch = number / (shape.stages * shape.chunks) * shape.stages + in_round % shape.stages;
    return PipelineStep{direction, micro_batch, direction == Direction::forward ? turn : shape.chunks - 1 - turn};
  };
  const std::size_t ahead = std::min(2 * (shape.stages - stage.value - 1) + (shape.chunks - 1) * shape.stages, all);
  std::vector<PipelineStep> steps;
  for (std::size_t i = 0; i < ahead; ++i) steps.push_back(step(Direction::forward, i));
  for (std::size_t i = 0; i < all; ++i) {
    if (i + ahead < all) steps.push_back(step(Direction::forward, i + ahead));
    steps.push_back(step(Direction::backward, i));
  }
  return steps;
}

// 1F1B with backward split; stage s computes the gradients of the weights s micro-batches behind those of the inputs, so that
// every stage holds as many micro-batches as the first, and has work left while the last gradients travel back (ZB-H1,
// arXiv 2401.10241 section 2.1).
std::vector<PipelineStep> zero_bubble_h1(Stage stage, const PipelineShape& shape) {
  std::vector<PipelineStep> steps;
  std::size_t done = 0;
  for (const PipelineStep& step : one_forward_one_backward<1>(stage, shape)) {
    steps.push_back(step);
    if (step.direction == Direction::backward && step.micro_batch >= stage.value)
      steps.push_back({Direction::weight_gradient, done++});
  }
  while (done < shape.micro_batches) steps.push_back({Direction::weight_gradient, done++});
  return steps;
}

}  // namespace

const std::vector<PipelineSchedule>& pipeline_schedules() {
  static const std::vector<PipelineSchedule> table{
      {"gpipe", "all forwards of a pass, then all its backwards, both in order", true, false, false, false, gpipe},
      {"1f1b", "one forward, one backward: at most as many micro-batches in flight as stages follow", false, false,
       true, false, one_forward_one_backward<1>},
      {"1f1b_x2", "1f1b with twice the micro-batches in flight, for links that take long", false, false, false, false,
       one_forward_one_backward<2>},
      {"1f1b_x4", "1f1b with four times the micro-batches in flight", false, false, false, false,
       one_forward_one_backward<4>},
      {"1f1b_x8", "1f1b with eight times the micro-batches in flight", false, false, false, false,
       one_forward_one_backward<8>},
      {"interleaved_1f1b", "1f1b over plan.virtual_stages chunks per stage: a shorter bubble for more messages",
       false, true, false, false, interleaved},
      {"zb_h1", "1f1b with the gradients of the weights computed apart, where a stage would wait (zero bubble)",
       false, false, false, true, zero_bubble_h1},
  };
  return table;
}

const PipelineSchedule* find_pipeline_schedule(const std::string& name) {
  for (const PipelineSchedule& schedule : pipeline_schedules())
    if (name == schedule.name) return &schedule;
  return nullptr;
}

bool can_run(const PipelineSchedule& schedule, const PipelineShape& shape) {
  const std::vector<std::size_t>& ahead = shape.warm_up;
  if (!ahead.empty() &&
      (!schedule.takes_warm_up || ahead.size() != shape.stages || !std::is_sorted(ahead.rbegin(), ahead.rend())))
    return false;
  if (!schedule.interleaves) return shape.chunks == 1;
  return shape.stages > 1 && shape.chunks > 1 && shape.micro_batches % shape.stages == 0;
}

std::optional<Stage> stuck_when_synchronous(const PipelineSchedule& schedule, const PipelineShape& shape) {
  const auto last_before_backward = [&](std::size_t stage) {
    const std::vector<PipelineStep> steps = schedule.steps(Stage(stage), shape);
    const auto backward = std::find_if(steps.begin(), steps.end(),
                                       [](const PipelineStep& step) { return step.direction != Direction::forward; });
    return static_cast<std::size_t>(backward - steps.begin()) - 1;
  };
  for (std::size_t stage = 0; stage + 1 < shape.stages; ++stage) {
    const std::size_t next = last_before_backward(stage + 1);
    if (next + 1 < shape.micro_batches && last_before_backward(stage) > next + 2) return Stage(stage);
  }
  return std::nullopt;
}

}  // namespace longhaul
