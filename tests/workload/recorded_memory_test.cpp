// Settings that somebody ran, or could not run, against the memory estimate.
#include <catch2/catch.hpp>

#include "sim/workload/memory.hpp"

using namespace longhaul;

namespace {

constexpr double a100 = 80e9;

// A GPT of arXiv 2104.04473 (SC'21) tables 1 and 2: sequence 2048, vocabulary 51200, mixed precision, full recomputation.
struct Setting {
  std::int64_t heads, hidden, layers;
  std::size_t tensor, pipeline, gpus, batch, micro_batch;
};

Job job_of(const Setting& setting) {
  Job job;
  job.model = find_model("gpt3_175b", {});
  job.model.heads = job.model.key_value_heads = setting.heads;
  job.model.hidden = setting.hidden;
  job.model.feed_forward = 4 * setting.hidden;
  job.model.layers = setting.layers;
  return job;
}

Plan plan_of(const Setting& setting) {
  Plan plan;
  plan.degrees = {setting.pipeline, setting.gpus / setting.pipeline / setting.tensor, setting.tensor};
  plan.layers_per_stage = even_layers(static_cast<std::size_t>(setting.layers), setting.pipeline);
  plan.micro_batch_size = setting.micro_batch;
  plan.micro_batches = setting.batch / plan.degrees.data / setting.micro_batch;
  plan.schedule = "1f1b";
  return plan;
}

double peak(const Job& job, const Plan& plan) { return peak_memory(stage_memory(job, plan)).value; }

}  // namespace

// The table does not say the micro-batches; these are assumed.
TEST_CASE("all rows of SC'21 table 1 fit 80 GB") {
  const std::vector<Setting> rows{{24, 2304, 24, 1, 1, 32, 512, 4},        {32, 3072, 30, 2, 1, 64, 512, 4},
                                  {32, 4096, 36, 4, 1, 128, 512, 4},       {48, 6144, 40, 8, 1, 256, 1024, 4},
                                  {64, 8192, 48, 8, 2, 512, 1536, 4},      {80, 10240, 60, 8, 4, 1024, 1792, 2},
                                  {96, 12288, 80, 8, 8, 1536, 2304, 2},    {128, 16384, 96, 8, 16, 1920, 2160, 1},
                                  {128, 20480, 105, 8, 35, 2520, 2520, 1}, {160, 25600, 128, 8, 64, 3072, 3072, 1}};
  for (const Setting& row : rows) {
    INFO(row.hidden);
    CHECK(peak(job_of(row), plan_of(row)) <= a100);
  }
}

TEST_CASE("far fewer GPUs to a replica than SC'21 took do not hold its large models") {
  for (const Setting& row : {Setting{96, 12288, 96, 8, 1, 8, 8, 1}, Setting{128, 20480, 105, 8, 7, 56, 56, 1},
                             Setting{160, 25600, 128, 8, 16, 128, 128, 1}}) {
    INFO(row.hidden);
    CHECK(peak(job_of(row), plan_of(row)) > a100);
  }
}

TEST_CASE("all ZeRO-3 rows of SC'21 table 2 fit 80 GB") {
  const std::vector<Setting> rows{{96, 12288, 96, 1, 1, 384, 1536, 4},    {96, 12288, 96, 1, 1, 768, 1536, 2},
                                  {96, 12288, 96, 1, 1, 1536, 1536, 1},   {128, 20480, 105, 1, 1, 640, 2560, 4},
                                  {128, 20480, 105, 1, 1, 1120, 2240, 2}, {128, 20480, 105, 1, 1, 2240, 2240, 1}};
  for (const Setting& row : rows) {
    INFO(row.hidden << " on " << row.gpus);
    Job job = job_of(row);
    Plan plan = plan_of(row);
    plan.zero = 3;
    plan.gradient_sync = "ring_all_reduce";
    plan.sync_groups = static_cast<std::size_t>(row.layers);
    job.live_parameters = 1e9;  // DeepSpeed's default
    CHECK(peak(job, plan) <= a100);
    plan.zero = 0;  // a replica on one GPU
    CHECK(peak(job, plan) > a100);
  }
}

TEST_CASE("offloaded activations leave two layers' on the device") {
  const Setting setting{24, 2304, 24, 1, 1, 1, 4, 1};
  Job job = job_of(setting);
  job.recompute = Recompute::none;
  const Plan plan = plan_of(setting);
  const StageMemory all = stage_memory(job, plan).front();
  job.activation_offload = true;
  const StageMemory few = stage_memory(job, plan).front();
  CHECK(few.activations / all.activations == Approx(2.0 / 24));
  CHECK(few.optimizer == all.optimizer);
}

TEST_CASE("the peaks of Sailor's runs count measured activations and the runtime") {
  Job job;
  job.model = find_model("opt_350m", {});
  job.precision = "fp32";
  job.recompute = Recompute::none;
  job.compute.profile = find_layer_profile("sailor", {});
  Plan plan;
  plan.degrees = {1, 1, 4};
  plan.layers_per_stage = {24};
  const StageMemory stage = stage_memory(job, plan).front();
  CHECK(stage.activations == Bytes((24 * 27267072.0 + 2101760.0) * 4));
  CHECK(stage.logits == Bytes(54532864.0 * 4));
  job.runtime_memory = Bytes(4.85e9);
  CHECK(stage_memory(job, plan).front().total().value == Approx(stage.total().value + 4.85e9));
}
