#include "sim/workload/memory_check.hpp"

#include <catch2/catch.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;

namespace {

constexpr double v100 = 16e9;

// DT-FM's runtime: attention and feed-forward part checkpointed apart, GPipe, micro-batch 1, eight stages.
Job dtfm_job(std::size_t layers, bool offload) {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  job.model.layers = static_cast<std::int64_t>(layers);
  job.kept_per_layer = 4;
  job.optimizer_offload = offload;
  return job;
}

Plan plan_of(std::size_t layers, std::size_t stages, std::size_t micro_batches, const std::string& schedule) {
  Plan plan;
  plan.degrees = {stages, 1, 1};
  plan.layers_per_stage = even_layers(layers, stages);
  plan.micro_batches = micro_batches;
  plan.schedule = schedule;
  return plan;
}

double peak(const Job& job, const Plan& plan) {
  const std::vector<StageMemory> stages = stage_memory(job, plan);
  return stages[fullest_stage(stages)].total().value;
}

double dtfm_peak(std::size_t layers, std::size_t micro_batches, bool offload) {
  return peak(dtfm_job(layers, offload), plan_of(layers, 8, micro_batches, "gpipe"));
}

PlatformView platform_of(std::size_t devices, double memory) {
  Device device;
  device.memory = Bytes(memory);
  return {"test", std::vector<Device>(devices, device), std::vector<Path>(devices * devices)};
}

}  // namespace

TEST_CASE("DT-FM's recorded settings fit a V100 of 16 GB") {
  // DS3Lab/Decentralized_FM_alpha @ cb03043, results/gpt3_xl_fp16.md: 3 layers a stage, "max batch size (due to DRAM
  // limits): 96"; with the fp32 model offloaded 108; 4 and 5 layers with 64.
  CHECK(dtfm_peak(24, 64, false) <= v100);
  CHECK(dtfm_peak(24, 96, false) <= v100);
  CHECK(dtfm_peak(24, 108, true) <= v100);
  CHECK(dtfm_peak(32, 64, true) <= v100);
  CHECK(dtfm_peak(40, 64, true) <= v100);
}

TEST_CASE("beyond DT-FM's limit a V100 of 16 GB is too small") {
  CHECK(dtfm_peak(24, 97, false) > v100);
  CHECK(dtfm_peak(24, 108, false) > v100);
}

TEST_CASE("Megatron's largest models fit 80 GB as they were run, and not without their parallelism") {
  // arXiv 2104.04473 table 1: 175 billion parameters, tensor 8 x pipeline 12.
  Job job;
  job.model = find_model("gpt3_175b", {});
  Plan plan = plan_of(96, 12, 64, "1f1b");
  plan.degrees.tensor = 8;
  CHECK(peak(job, plan) < 80e9);
  plan.degrees.tensor = 1;
  CHECK(peak(job, plan) > 80e9);
}

TEST_CASE("GPipe keeps all micro-batches of a pass in flight, 1F1B as many as stages from there on") {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  for (std::size_t stages = 1; stages <= 6; ++stages)
    for (const std::size_t micro_batches : {1U, 3U, 9U}) {
      const auto pipe = stage_memory(job, plan_of(24, stages, micro_batches, "gpipe"));
      const auto alternating = stage_memory(job, plan_of(24, stages, micro_batches, "1f1b"));
      for (std::size_t stage = 0; stage < stages; ++stage) {
        CHECK(pipe[stage].in_flight == micro_batches);
        CHECK(alternating[stage].in_flight == std::min(micro_batches, stages - stage));
      }
    }
}

TEST_CASE("parameters, gradients and optimizer take 16 bytes per parameter, offloaded 4") {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  const auto states = [&] {
    double sum = 0;
    for (const StageMemory& stage : stage_memory(job, plan_of(24, 4, 1, "1f1b")))
      sum += (stage.parameters + stage.gradients + stage.optimizer).value;
    return sum / total_parameters(job.model);
  };
  CHECK(states() == Approx(16));
  job.precision = "fp32";
  CHECK(states() == Approx(16));
  job.optimizer_offload = true;
  CHECK(states() == Approx(8));
  job.precision = "bf16";
  CHECK(states() == Approx(4));
}

TEST_CASE("activations without recomputation are s b h (10 + 24 / t + 5 a s / (h t)) bytes per layer") {
  Job job;
  job.model = find_model("gpt3_175b", {});
  job.recompute = Recompute::none;
  const double width = 2048.0 * 12288;
  for (const std::size_t slices : {1U, 2U, 8U})
    for (const std::size_t sequences : {1U, 4U}) {
      Plan plan = plan_of(96, 1, 1, "1f1b");
      plan.degrees.tensor = slices;
      plan.micro_batch_size = sequences;
      const auto t = static_cast<double>(slices);
      CHECK(stage_memory(job, plan)[0].activations.value ==
            Approx(96 * width * static_cast<double>(sequences) * (10 + 24 / t + 5.0 * 96 * 2048 / 12288 / t)));
    }
}

TEST_CASE("selective recomputation keeps no scores, sequence parallelism splits what is left: s b h 34 / t") {
  Job job;
  job.model = find_model("gpt3_175b", {});
  job.recompute = Recompute::selective;
  const double width = 2048.0 * 12288;
  Plan plan = plan_of(96, 1, 1, "1f1b");
  plan.degrees.tensor = 8;
  CHECK(stage_memory(job, plan)[0].activations.value == Approx(96 * width * (10 + 24 / 8.0)));
  CHECK(stage_memory(job, plan)[0].working_set.value == Approx(5.0 * 96 * 2048 * 2048 / 8));
  plan.sequence_parallel = true;
  CHECK(stage_memory(job, plan)[0].activations.value == Approx(96 * width * 34 / 8));
  job.recompute = Recompute::full;
  CHECK(stage_memory(job, plan)[0].activations.value == Approx(96 * width * 2 / 8));
}

TEST_CASE("full recomputation keeps 2 s b h bytes per layer, and works on one layer") {
  Job job;
  job.model = find_model("gpt3_175b", {});
  const Plan plan = plan_of(96, 12, 64, "1f1b");
  const std::vector<StageMemory> stages = stage_memory(job, plan);
  const double width = 2048.0 * 12288;
  CHECK(stages[0].activations.value == Approx(12 * 8 * 2 * width));
  CHECK(stages[11].activations.value == Approx(8 * 2 * width));
  CHECK(stages[0].working_set.value == Approx(width * (34 + 5.0 * 96 * 2048 / 12288)));
  CHECK(stages[11].logits.value == Approx(4.0 * 2048 * 51200));
  CHECK(stages[10].logits.value == 0);
  CHECK(fullest_stage(stages) == 0);
}

TEST_CASE("where weight gradients are computed apart, recomputed activations stay until then") {
  // ZB-H1, stage s of 4: s micro-batches between the two halves of backward while another is computed, and 3 - s inputs.
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  const Plan plan = plan_of(24, 4, 8, "zb_h1");
  const double kept = 2048.0 * 2048 * 2;  // s h values, per layer and micro-batch
  for (std::size_t stage = 0; stage < 4; ++stage) {
    const StageMemory memory = stage_memory(job, plan)[stage];
    CHECK(memory.activations.value == Approx(6 * (kept * static_cast<double>(3 - stage) +
                                                  memory.working_set.value * static_cast<double>(stage + 1))));
  }
}

TEST_CASE("remedies of an interleaved plan can be run") {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  job.recompute = Recompute::none;
  Plan plan = plan_of(24, 4, 16, "interleaved_1f1b");
  plan.virtual_stages = 3;
  const double all = peak(job, plan);
  CHECK(memory_remedies(job, plan, Bytes(all * 0.95)) ==
        std::vector<std::string>{"plan.schedule: 1f1b with plan.virtual_stages: 1", "job.micro_batches: 4",
                                 "job.optimizer_offload: true", "job.recompute: full"});
}

TEST_CASE("a sharded optimizer is offered where replicas synchronise along a ring") {
  Job job;
  job.model = find_model("gpt3_1.3b", {});
  Plan plan = plan_of(24, 1, 1, "1f1b");
  plan.degrees.data = 8;
  CHECK(memory_remedies(job, plan, Bytes(16e9)).front() == "plan.zero: 1");
  plan.gradient_sync = "sharded_server";
  CHECK(memory_remedies(job, plan, Bytes(16e9)).front() == "job.optimizer_offload: true");
}

TEST_CASE("what is offered as a remedy is enough, and one step less is not") {
  const Job job = dtfm_job(24, false);
  const Plan plan = plan_of(24, 8, 108, "gpipe");
  const std::vector<std::string> remedies = memory_remedies(job, plan, Bytes(v100));
  CHECK(remedies ==
        std::vector<std::string>{"plan.schedule: 1f1b", "job.micro_batches: 96", "job.optimizer_offload: true"});
}

TEST_CASE("more stages are offered where nothing cheaper helps") {
  Job job;
  job.model = find_model("gpt3_13b", {});
  job.optimizer_offload = true;
  Plan plan = plan_of(40, 2, 1, "1f1b");
  plan.degrees.data = 8;
  // Parameters and gradients alone are 4 x 13.1e9 / stages bytes.
  CHECK(memory_remedies(job, plan, Bytes(v100)) == std::vector<std::string>{"plan.pipeline: 8 with plan.data: 2"});
}

TEST_CASE("the check names the stage, the amount and three remedies, and passes what fits") {
  const Job job = dtfm_job(24, false);
  Plan plan = plan_of(24, 8, 108, "gpipe");
  for (std::size_t rank = 0; rank < 8; ++rank) plan.rank_of_device.emplace_back(rank);
  CHECK_THROWS_WITH(check_memory(job, plan, platform_of(8, v100), {}),
                    Catch::Contains("plan: stage 0 needs 17.43 GB, 1.43 GB more than its device has") &&
                        Catch::Contains("108 micro-batches in flight") &&
                        Catch::Contains("accepted: plan.schedule: 1f1b, or job.micro_batches: 96, or "
                                        "job.optimizer_offload: true"));
  CHECK_NOTHROW(check_memory(job, plan, platform_of(8, 18e9), {}));
  CHECK_NOTHROW(check_memory(job, plan, platform_of(8, 0), {}));
}

TEST_CASE("a stage is judged by the smallest device that runs it") {
  std::vector<Device> devices(4);
  for (std::size_t i = 0; i < 4; ++i) devices[i].memory = Bytes(i == 2 ? 16e9 : 80e9);
  Plan plan = plan_of(24, 2, 1, "1f1b");
  plan.degrees.data = 2;
  plan.rank_of_device = {RankId(0), RankId(1), RankId(3), RankId(2)};
  const auto stages = stage_memory(dtfm_job(24, false), plan, {"test", devices, std::vector<Path>(16)});
  CHECK(stages[0].device == Bytes(80e9));
  CHECK(stages[1].device == Bytes(16e9));
}

TEST_CASE("a plan that does not fit is said to, and refused on demand") {
  const std::string run = "plan eight_cities --scheduler identity --set job.micro_batches=128";
  const Answer told = longhaul_program(run);
  CHECK(told.exit_code == 0);
  CHECK_THAT(told.out,
             Catch::Contains("GB on the fullest stage (0), estimated, 16.0 GB on its device: it does not fit"));
  const Answer refused = longhaul_program(run + " --set plan.check_memory=true");
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.error, Catch::Contains("plan.check_memory=true:1:1: plan: stage 0 needs") &&
                                Catch::Contains("; accepted: job.micro_batches: "));
  CHECK(longhaul_program("plan eight_cities --scheduler identity --set plan.check_memory=true").exit_code == 0);
}
