#include "sim/workload/compression.hpp"

#include <catch2/catch.hpp>

#include "sim/engine/simulate.hpp"
#include "sim/workload/pipeline_workload.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

double bytes_of(const std::string& compression, double values, double value_bytes) {
  return compressed_bytes(parse_compression(compression, "", {}), Bytes(values * value_bytes), value_bytes).value;
}

Platform pairwise(std::size_t devices) { return load_cluster(test_cluster({devices}, BandwidthLimit::per_pair)); }

double seconds_on(const Platform& platform, const Job& job, const Plan& plan, const NetworkModel& network = {}) {
  const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, network);
  GraphWorkload workload(graph);
  return simulate(platform, workload, network).end.value;
}

}  // namespace

TEST_CASE("compressed bytes are values, scales and indices") {
  CHECK(bytes_of("none", 1000, 2) == 2000);
  CHECK(bytes_of("fp16", 1000, 4) == 2000);
  CHECK(bytes_of("bf16", 1000, 4) == 2000);
  CHECK(bytes_of("int8", 1000, 2) == 1000 + 4 * 4);
  CHECK(bytes_of("int8", 1024, 2) == 1024 + 4 * 4);
  CHECK(bytes_of("int8", 1025, 2) == 1025 + 5 * 4);
  CHECK(bytes_of("int4", 1001, 2) == 501 + 4 * 4);
  CHECK(bytes_of("top_k:1 %", 1000, 2) == 10 * (2 + 4));
  CHECK(bytes_of("top_k:1 %", 1001, 4) == 11 * (4 + 4));
}

TEST_CASE("no method sends more than there is") {
  for (const char* method : {"none", "fp16", "bf16", "int8", "int4", "top_k:0.1 %", "top_k:34 %", "top_k:100 %"})
    for (const double values : {0.0, 1.0, 3.0, 255.0, 257.0, 1e6})
      for (const double value_bytes : {2.0, 4.0}) {
        INFO(method << " of " << values);
        CHECK(bytes_of(method, values, value_bytes) <= values * value_bytes);
      }
  CHECK(bytes_of("top_k:34 %", 1e6, 2) == 2e6);
  CHECK(bytes_of("int8", 3, 2) == 6);
}

TEST_CASE("the name of a compression reads back") {
  for (const char* text : {"none", "int4", "top_k:1 %", "top_k:0.1 %", "top_k:100 %"})
    CHECK(text_of(parse_compression(text, "", {})) == text);
}

TEST_CASE("compressed activations take less time on the wire, in both directions") {
  // Two stages, a message of 512 values: 1024 B, in 8 bits 520 B.
  Plan plan = test_plan(2, 1, 1, "gpipe", "ring_all_reduce");
  const Job job = test_job(1, 2, 1024, 1);
  CHECK(seconds_on(pairwise(2), job, plan) == Approx(6 + 2 * (10.24 + 1)).margin(1e-9));
  plan.activation_compression = Compression{"int8"};
  CHECK(seconds_on(pairwise(2), job, plan) == Approx(6 + 2 * (5.20 + 1)).margin(1e-9));
  // Compressing and decompressing: 1 s each for each of the two messages.
  plan.compression_rate = BytesPerSecond(1024);
  CHECK(seconds_on(pairwise(2), job, plan) == Approx(6 + 2 * (5.20 + 1) + 4).margin(1e-9));
}

TEST_CASE("compressed gradients take less time on the wire, compressing before and decompressing after sync") {
  // A ring of two over 1024 values: 2048 B, the largest tenth in 103 x 6 B.
  Plan plan = test_plan(1, 2, 1, "gpipe", "ring_all_reduce");
  const Job job = test_job(1, 2, 1, 2048);
  CHECK(seconds_on(pairwise(2), job, plan) == Approx(3 + 2 * (10.24 + 1)).margin(1e-9));
  plan.gradient_compression = Compression{"top_k", 0.1};
  CHECK(seconds_on(pairwise(2), job, plan) == Approx(3 + 2 * (3.09 + 1)).margin(1e-9));
  plan.compression_rate = BytesPerSecond(2048);
  CHECK(seconds_on(pairwise(2), job, plan) == Approx(3 + 1 + 2 * (3.09 + 1) + 1).margin(1e-9));
  // Nothing of it concerns activations, and without replicas there is nothing to compress.
  plan = test_plan(2, 1, 1, "gpipe", "ring_all_reduce");
  const double plain = seconds_on(pairwise(2), job, plan);
  plan.gradient_compression = Compression{"top_k", 0.1};
  plan.compression_rate = BytesPerSecond(2048);
  CHECK(seconds_on(pairwise(2), job, plan) == plain);
}

TEST_CASE("compression may depend on how far a message goes") {
  // Three stages: a machine of two, one more in its region; links inside a machine like the others.
  Cluster cluster = test_cluster({2, 1}, BandwidthLimit::per_pair);
  cluster.machines[0].devices = 2;
  cluster.machines[0].inside = link_figures(1, 100);
  const Platform platform = load_cluster(cluster);
  const Job job = test_job(1, 2, 1024, 1);
  Plan plan = test_plan(4, 1, 1, "gpipe", "ring_all_reduce");
  const Compression none;
  const Compression int8{"int8"};
  const double whole = 12 + 6 * (10.24 + 1);
  const double saved = 2 * (10.24 - 5.20);  // there and back over one hop
  CHECK(seconds_on(platform, job, plan) == Approx(whole).margin(1e-9));
  plan.activation_compression = PathCompression({int8, none, none});
  CHECK(seconds_on(platform, job, plan) == Approx(whole - saved).margin(1e-9));
  plan.activation_compression = PathCompression({none, int8, int8});
  CHECK(seconds_on(platform, job, plan) == Approx(whole - 2 * saved).margin(1e-9));
  // Two GPUs compress for the one hop between regions, each there and back, a second each.
  plan.activation_compression = PathCompression({none, none, int8});
  plan.compression_rate = BytesPerSecond(1024);
  CHECK(seconds_on(platform, job, plan) == Approx(whole - saved + 4).margin(1e-9));
}

TEST_CASE("gradients are compressed as the widest path of their group says") {
  Cluster cluster = test_cluster({2, 1}, BandwidthLimit::per_pair);
  cluster.machines[0].devices = 2;
  cluster.machines[0].inside = link_figures(1, 100);
  const Platform platform = load_cluster(cluster);
  const Job job = test_job(1, 2, 1, 2048);
  Plan plan = test_plan(2, 2, 1, "gpipe", "ring_all_reduce");
  const auto sent = [&] {
    std::vector<double> bytes(2, 0);  // of each stage
    const TaskletGraph graph = pipeline_tasklets(job, plan, platform.view, {});
    for (const Tasklet& task : graph.tasklets())
      if (task.kind == TaskletKind::gradient_transfer) bytes[task.rank.value % 2] += task.bytes.value;
    return bytes;
  };
  const Compression none;
  plan.gradient_compression = PathCompression({none, none, {"top_k", 0.1}});
  CHECK(sent() == std::vector<double>{4 * 1024, 4 * 309});  // devices 0 and 2 in one region, 1 and 3 in two
  plan.gradient_compression = PathCompression({none, {"top_k", 0.1}, none});
  CHECK(sent() == std::vector<double>{4 * 309, 4 * 1024});
  plan.rank_of_device = {RankId(0), RankId(2), RankId(1), RankId(3)};
  CHECK(sent() == std::vector<double>{4 * 1024, 4 * 1024});  // a machine, and two regions
}
