#include "sim/workload/schedule.hpp"

#include <catch2/catch.hpp>

using namespace longhaul;

namespace {

// "F0 B0 ", with chunks "F0a F0b ".
std::string text(const std::vector<PipelineStep>& steps, bool with_chunks = false) {
  std::string result;
  for (const PipelineStep& step : steps) {
    result += "FBW"[static_cast<int>(step.direction)] + std::to_string(step.micro_batch);
    if (with_chunks) result += static_cast<char>('a' + step.chunk);
    result += " ";
  }
  return result;
}

}  // namespace

TEST_CASE("GPipe runs all forwards, then all backwards in the same order") {
  CHECK(text(find_pipeline_schedule("gpipe")->steps(Stage(1), {4, 3})) == "F0 F1 F2 B0 B1 B2 ");
}

TEST_CASE("1F1B warms up with as many forwards as stages follow") {
  const PipelineSchedule* schedule = find_pipeline_schedule("1f1b");
  CHECK(text(schedule->steps(Stage(0), {3, 4})) == "F0 F1 F2 B0 F3 B1 B2 B3 ");
  CHECK(text(schedule->steps(Stage(2), {3, 4})) == "F0 B0 F1 B1 F2 B2 F3 B3 ");
  CHECK(text(schedule->steps(Stage(0), {8, 2})) == "F0 F1 B0 B1 ");
  const PipelineSchedule* deeper = find_pipeline_schedule("1f1b_x2");
  CHECK(text(deeper->steps(Stage(1), {3, 5})) == "F0 F1 F2 F3 B0 F4 B1 B2 B3 B4 ");
  CHECK(text(deeper->steps(Stage(2), {3, 3})) == "F0 F1 B0 F2 B1 B2 ");
}

TEST_CASE("1F1B warms up with as many forwards as it is told, if they do not increase along the pipeline") {
  const PipelineSchedule* schedule = find_pipeline_schedule("1f1b");
  const auto shape = [](std::vector<std::size_t> warm_up) { return PipelineShape{3, 4, 1, std::move(warm_up)}; };
  CHECK(text(schedule->steps(Stage(0), shape({3, 1, 0}))) == "F0 F1 F2 F3 B0 B1 B2 B3 ");
  CHECK(text(schedule->steps(Stage(1), shape({3, 1, 0}))) == "F0 F1 B0 F2 B1 F3 B2 B3 ");
  CHECK(text(schedule->steps(Stage(2), shape({9, 9, 9}))) == "F0 F1 F2 F3 B0 B1 B2 B3 ");
  CHECK(can_run(*schedule, shape({2, 2, 0})));
  CHECK_FALSE(can_run(*schedule, shape({2, 0, 1})));
  CHECK_FALSE(can_run(*schedule, shape({2, 1})));
  CHECK_FALSE(can_run(*find_pipeline_schedule("1f1b_x2"), shape({2, 1, 0})));
}

TEST_CASE("interleaved 1F1B takes turns between chunks after as many micro-batches as stages") {
  const PipelineSchedule* schedule = find_pipeline_schedule("interleaved_1f1b");
  CHECK(text(schedule->steps(Stage(1), {2, 4, 2}), true) ==
        "F0a F1a F0b B0b F1b B1b F2a B0a F3a B1a F2b B2b F3b B3b B2a B3a ");
  CHECK(text(schedule->steps(Stage(0), {2, 2, 2}), true) == "F0a F1a F0b F1b B0b B1b B0a B1a ");
}

TEST_CASE("ZB-H1 computes the gradients of the weights as many micro-batches late as stages come before") {
  const PipelineSchedule* schedule = find_pipeline_schedule("zb_h1");
  CHECK(text(schedule->steps(Stage(0), {3, 4})) == "F0 F1 F2 B0 W0 F3 B1 W1 B2 W2 B3 W3 ");
  CHECK(text(schedule->steps(Stage(2), {3, 4})) == "F0 B0 F1 B1 F2 B2 W0 F3 B3 W1 W2 W3 ");
}

TEST_CASE("an interleaving schedule runs on several chunks, stages and whole groups of micro-batches only") {
  const PipelineSchedule& interleaved = *find_pipeline_schedule("interleaved_1f1b");
  CHECK(can_run(interleaved, {2, 4, 2}));
  CHECK_FALSE(can_run(interleaved, {2, 3, 2}));
  CHECK_FALSE(can_run(interleaved, {2, 4, 1}));
  CHECK_FALSE(can_run(interleaved, {1, 4, 2}));
  CHECK(can_run(*find_pipeline_schedule("1f1b"), {2, 3, 1}));
  CHECK_FALSE(can_run(*find_pipeline_schedule("1f1b"), {2, 4, 2}));
}

TEST_CASE("every schedule computes every micro-batch once forward, then once backward, and ends with the last") {
  for (const PipelineSchedule& schedule : pipeline_schedules())
    for (std::size_t stages = 1; stages <= 5; ++stages)
      for (std::size_t stage = 0; stage < stages; ++stage)
        for (std::size_t micro_batches = 1; micro_batches <= 10; ++micro_batches)
          for (std::size_t chunks = 1; chunks <= 3; ++chunks) {
            const PipelineShape shape{stages, micro_batches, chunks};
            if (!can_run(schedule, shape)) continue;
            INFO(schedule.name << ", stage " << stage << " of " << stages << ", " << micro_batches
                               << " micro-batches, " << chunks << " chunks");
            const int last = schedule.splits_backward ? 2 : 1;
            std::vector<int> state(micro_batches * chunks, 0);
            std::vector<std::size_t> latest(chunks, 0);
            bool in_order = true;
            for (const PipelineStep& step : schedule.steps(Stage(stage), shape)) {
              int& mine = state.at(step.micro_batch * chunks + step.chunk);
              in_order = in_order && mine == static_cast<int>(step.direction);
              if (mine++ == last) latest[step.chunk] = step.micro_batch;
            }
            CHECK(in_order);
            CHECK(state == std::vector<int>(micro_batches * chunks, last + 1));
            CHECK(latest == std::vector<std::size_t>(chunks, micro_batches - 1));
          }
}

TEST_CASE("an unknown schedule is nothing") { CHECK(find_pipeline_schedule("none") == nullptr); }
