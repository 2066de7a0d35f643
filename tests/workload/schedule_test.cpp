#include "sim/workload/schedule.hpp"

#include <catch2/catch.hpp>

using namespace longhaul;

namespace {

std::string text(const std::vector<PipelineStep>& steps) {
  std::string result;
  for (const PipelineStep& step : steps)
    result +=
        (step.direction == PipelineStep::Direction::forward ? "F" : "B") + std::to_string(step.micro_batch) + " ";
  return result;
}

}  // namespace

TEST_CASE("GPipe runs all forwards, then all backwards in the same order") {
  CHECK(text(find_pipeline_schedule("gpipe")->steps(Stage(1), 4, 3)) == "F0 F1 F2 B0 B1 B2 ");
}

TEST_CASE("1F1B warms up with as many forwards as stages follow") {
  const PipelineSchedule* schedule = find_pipeline_schedule("1f1b");
  CHECK(text(schedule->steps(Stage(0), 3, 4)) == "F0 F1 F2 B0 F3 B1 B2 B3 ");
  CHECK(text(schedule->steps(Stage(2), 3, 4)) == "F0 B0 F1 B1 F2 B2 F3 B3 ");
  CHECK(text(schedule->steps(Stage(0), 8, 2)) == "F0 F1 B0 B1 ");
  const PipelineSchedule* deeper = find_pipeline_schedule("1f1b_x2");
  CHECK(text(deeper->steps(Stage(1), 3, 5)) == "F0 F1 F2 F3 B0 F4 B1 B2 B3 B4 ");
  CHECK(text(deeper->steps(Stage(2), 3, 3)) == "F0 F1 B0 F2 B1 B2 ");
}

TEST_CASE("every schedule computes every micro-batch once forward, then once backward") {
  for (const PipelineSchedule& schedule : pipeline_schedules())
    for (std::size_t stages = 1; stages <= 5; ++stages)
      for (std::size_t stage = 0; stage < stages; ++stage)
        for (std::size_t micro_batches = 1; micro_batches <= 7; ++micro_batches) {
          INFO(schedule.name << ", stage " << stage << " of " << stages << ", " << micro_batches << " micro-batches");
          std::vector<int> state(micro_batches, 0);
          for (const PipelineStep& step : schedule.steps(Stage(stage), stages, micro_batches)) {
            int& mine = state.at(step.micro_batch);
            CHECK(mine == (step.direction == PipelineStep::Direction::forward ? 0 : 1));
            ++mine;
          }
          CHECK(state == std::vector<int>(micro_batches, 2));
        }
}

TEST_CASE("an unknown schedule is nothing") { CHECK(find_pipeline_schedule("none") == nullptr); }
