#include "sim/workload/schedule.hpp"

#include <algorithm>

namespace longhaul {
namespace {

using Direction = PipelineStep::Direction;

// All forwards, then all backwards in the same order (arXiv 1811.06965; DT-FM runs backwards first to last).
std::vector<PipelineStep> gpipe(Stage /*stage*/, std::size_t /*stages*/, std::size_t micro_batches) {
  std::vector<PipelineStep> steps;
  for (std::size_t i = 0; i < micro_batches; ++i) steps.push_back({Direction::forward, i});
  for (std::size_t i = 0; i < micro_batches; ++i) steps.push_back({Direction::backward, i});
  return steps;
}

// A stage runs as many forwards ahead as there are stages after it, then alternates (arXiv 2104.04473 section 2.2.1). With
// `depth` times as many micro-batches in flight, gradients have that much longer to come back before a stage waits for them.
template <std::size_t depth>
std::vector<PipelineStep> one_forward_one_backward(Stage stage, std::size_t stages, std::size_t micro_batches) {
  const std::size_t ahead = std::min(depth * (stages - stage.value) - 1, micro_batches);
  std::vector<PipelineStep> steps;
  for (std::size_t i = 0; i < ahead; ++i) steps.push_back({Direction::forward, i});
  for (std::size_t i = ahead; i < micro_batches; ++i) {
    steps.push_back({Direction::forward, i});
    steps.push_back({Direction::backward, i - ahead});
  }
  for (std::size_t i = micro_batches - ahead; i < micro_batches; ++i) steps.push_back({Direction::backward, i});
  return steps;
}

}  // namespace

const std::vector<PipelineSchedule>& pipeline_schedules() {
  static const std::vector<PipelineSchedule> table{
      {"gpipe", "all forwards of a pass, then all its backwards, both in order", true, gpipe},
      {"1f1b", "one forward, one backward: at most as many micro-batches in flight as stages follow", false,
       one_forward_one_backward<1>},
      {"1f1b_x2", "1f1b with twice the micro-batches in flight, for links that take long", false,
       one_forward_one_backward<2>},
      {"1f1b_x4", "1f1b with four times the micro-batches in flight", false, one_forward_one_backward<4>},
      {"1f1b_x8", "1f1b with eight times the micro-batches in flight", false, one_forward_one_backward<8>},
  };
  return table;
}

const PipelineSchedule* find_pipeline_schedule(const std::string& name) {
  for (const PipelineSchedule& schedule : pipeline_schedules())
    if (name == schedule.name) return &schedule;
  return nullptr;
}

}  // namespace longhaul
