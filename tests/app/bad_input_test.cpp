// Every mistake gets one clear line on standard error, exit code 2, and nothing on standard output.
#include <catch2/catch.hpp>

#include "tests/support/program.hpp"

using namespace longhaul;

namespace {

struct Mistake {
  std::string arguments;
  std::string message;  // part of the line
};

void check(const Mistake& mistake) {
  const Answer answer = longhaul_program(mistake.arguments);
  INFO(mistake.arguments << "\n" << answer.error);
  CHECK(answer.exit_code == 2);
  CHECK(answer.out.empty());
  CHECK_THAT(answer.error, Catch::Contains(mistake.message));
  CHECK_THAT(answer.error, Catch::Contains("; accepted: "));
  CHECK(std::count(answer.error.begin(), answer.error.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("an interleaving schedule beside what it cannot run") {
  const std::string run = "run two_sites_smoke --set plan.schedule=interleaved_1f1b --set plan.virtual_stages=2 ";
  CHECK(longhaul_program(run).exit_code == 0);
  check(
      {run + "--set job.micro_batches=5", "--set job.micro_batches=5:1:1: plan.schedule: 'interleaved_1f1b' with 5"});
  check({run + "--set plan.pipeline=1 --set plan.data=4", "with pipeline: 1 (chunks are interleaved across stages)"});
  check({run + "--set job.layers=3", "plan.virtual_stages: 2 chunks (a stage has 1 layers, every chunk needs one)"});
  check({run + "--set plan.synchronous_transfers=true", "beside synchronous_transfers: true"});
  check({run + "--set plan.phase_barrier=true", "it has no phases to put a barrier between"});
  check({run + "--set job.layers=8 --set plan.sync_groups=3", "3 groups beside virtual_stages: 2"});
}

TEST_CASE("ZeRO beside what it cannot shard") {
  const std::string run = "run two_sites_smoke --set plan.zero=";
  CHECK(longhaul_program(run + "1").exit_code == 0);
  check({run + "4", "4 is out of range"});
  check({run + "2", "--set plan.zero=2:1:1: plan.zero: 2 beside pipeline: 2"});
  check({run + "1 --set plan.gradient_sync=sharded_server", "plan.zero: 1 beside gradient_sync: sharded_server"});
  check({run + "1 --set plan.workload=collective --set plan.pipeline=1 --set plan.data=4",
         "plan.zero: 1 beside workload: collective"});
}

TEST_CASE("kernels, measured sums and sequence parallelism") {
  const std::string run = "run selene --set job.micro_batches=1 --set ";
  CHECK(longhaul_program(run + "plan.data=16 --set plan.tensor=2 --set plan.sequence_parallel=true").exit_code == 0);
  check({run + "plan.sequence_parallel=true", "plan.sequence_parallel: true beside tensor: 1"});
  check({run + "job.recompute=some", "'some' is not known; accepted: none, selective, full"});
  check({run + "job.compute.efficiency=0.5", "more than one source of computing times"});
  check({run + "job.compute.kernels.multiply_efficiency=2", "2 is out of range"});
  check({run + "network.tensor_sums=gossip", "there is no 'gossip' in scenarios/sums"});
  check({run + "network.overlap_cost=2", "2 is out of range"});
  check({run + "network.ring_steps=some", "'some' is not known; accepted: apart, together"});
}

TEST_CASE("mistakes on the command line") {
  const std::vector<Mistake> mistakes{
      {"", "subcommand is required"},
      {"fly", "longhaul:"},
      {"run", "scenario is required"},
      {"run two_sites_smoke --frobnicate", "--frobnicate"},
      {"run no_such_scenario", "there is no 'no_such_scenario' in scenarios"},
      {"run ./missing.yaml", "./missing.yaml: cannot open the file"},
      {"run /tmp", "this is a folder"},
      {"list planets", "planets"},
      {"run two_sites_smoke --scheduler fortune_teller", "there is no scheduler 'fortune_teller'"},
      {"run two_sites_smoke --seed soon", "--seed soon: scheduler.seed: 'soon' is not a whole number"},
      {"run two_sites_smoke --seed -1", "-1 is out of range"},
      {"run two_sites_smoke --scheduler rank_map", "the scheduler rank_map has no rank map"},
      {"run two_sites_smoke --scheduler rank_map --rank-map missing.json", "missing.json: cannot open the file"},
      {"run two_sites_smoke --scheduler rank_map --rank-map scenarios/rank_maps/random_2022.json",
       "the rank map has 64 entries"},
      {"run two_sites_smoke --rank-map scenarios/rank_maps/random_2022.json",
       "random_2022.json: the scheduler is identity (it would not read this map)"},
      {"run two_sites_smoke --rank-map missing.json --scheduler rank_map:scenarios/rank_maps/random_2022.json",
       "(it would not read this map)"},
      {"run two_sites_smoke --set scheduler.annealing_steps=1000000 --set scheduler.annealing_interval=1",
       "(the search would take days)"},
      {"compare two_sites_smoke --schedulers identity,nobody", "there is no scheduler 'nobody'"},
      {"compare two_sites_smoke", "--schedulers is required"},
      {"explain", "scenario is required"},
      {"explain two_sites_smoke --scheduler fortune_teller", "there is no scheduler 'fortune_teller'"},
      {"explain two_sites_smoke --schedulers identity,nobody", "there is no scheduler 'nobody'"},
      {"explain two_sites_smoke --timing", "--timing"},
      {"explain two_sites_smoke --out /proc/nowhere", "cannot create the folder"},
      {"run two_sites_smoke --out /proc/nowhere", "cannot create the folder"},
      {"validate README.md", "README.md"},
      {"validate platforms/measurements", "this is a folder"},
      {"platform build missing.yaml", "missing.yaml: cannot open the file"},
      {"platform build platforms/two_sites.yaml --out /proc/x.xml", "cannot write the file"},
      {"run eight_cities --scheduler exhaustive", "exhaustive"},
      {"run eight_cities --scheduler identity --set network.chunk='1 KiB'",
       "tasklets (it would not fit into memory)"},
      {"run two_sites_smoke --set plan.gradient_sync=central_server --set job.gradient_bytes='1000 TB'",
       "tasklets (it would not fit into memory)"},
  };
  for (const Mistake& mistake : mistakes) check(mistake);
}

TEST_CASE("mistakes in scenario keys") {
  const std::vector<std::pair<std::string, std::string>> overrides{
      {"nonsense", "no key=value"},
      {"job.layer=4", "unknown key 'layer' in job"},
      {"network.bandwidth=4", "unknown key 'bandwidth' in network"},
      {"job.layers=0", "0 is out of range"},
      {"job.layers=four", "'four' is not a whole number"},
      {"job.layers=", "--set job.layers=: job.layers: no value"},
      {"job.layers=1", "--set job.layers=1:1:1: plan: 1 layers for 2 stages (every stage needs a layer)"},
      {"job.micro_batches=1000000000000", "out of range"},
      {"job.micro_batches=-1", "-1 is out of range"},
      {"job.micro_batches={12: 3}", "nothing is said for 4 layers"},
      {"job.layers=" + std::string(100'000, '7'), "77… is out of range"},
      {"job.global_batch=3", "--set job.global_batch=3:1:1: job.global_batch: 3 sequences are less than one pass"},
      {"job.model=gpt5", "there is no 'gpt5' in scenarios/models"},
      {"job.precision=fp7", "'fp7' is not known"},
      {"job.compute.efficiency=nan", "'nan' is not a finite number"},
      {"job.compute.efficiency=1.5", "1.5 is out of range"},
      {"job.compute.forward=20 ms", "forward and backward go together"},
      {"job.activation_bytes=1 parsec", "cannot read '1 parsec'"},
      {"plan.pipeline=3",
       "--set plan.pipeline=3:1:1: plan: pipeline 3 x data 2 x tensor 1 = 6 ranks (the platform has 4 devices, each "
       "runs one "
       "rank)"},
      {"plan.pipeline=1000000000", "out of range"},
      {"plan.tensor=2", "pipeline 2 x data 2 x tensor 2 = 8 ranks"},
      {"plan={pipeline: 1, data: 1, tensor: 4, schedule: 1f1b, gradient_sync: broadcast}",
       "it leaves replicas without the sum"},
      {"plan.workload=holiday", "'holiday' is not known"},
      {"plan.workload=collective", "it runs over replicas"},
      {"plan.synchronous_transfers=perhaps", "'perhaps' is neither true nor false"},
      {"job.compute={profile: sailor}", "neither this model nor another was measured on this device type"},
      {"job.offload_bandwidth=12 GB/s", "nothing is offloaded"},
      {"job.activation_offload=true", "activations are offloaded over an unknown link"},
      {"job.runtime_memory=4", "'4' has no unit"},
      {"job.compute={profile: nobody}", "there is no 'nobody' in scenarios/profiles"},
      {"job.compute.half_work=50", "'50' has no unit"},
      {"job.compute.efficiency={T4-16GB: 0.5}", "no efficiency for device type"},
      {"job.compute.weight_update_rate=0 GB/s", "is zero"},
      {"network.store_and_forward=-1", "-1 is out of range"},
      {"network.tcp_streams=0", "0 is out of range"},
      {"plan.schedule=gpype", "'gpype' is not known"},
      {"plan.gradient_sync=telepathy", "'telepathy' is not known"},
      {"plan.virtual_stages=0", "0 is out of range"},
      {"plan.virtual_stages=2", "with virtual_stages: 2 (it runs a stage as one chunk)"},
      {"plan.schedule=interleaved_1f1b", "with virtual_stages: 1 (there are no chunks to interleave)"},
      {"plan.sync_groups=0", "0 is out of range"},
      {"plan.sync_groups=3", "plan.sync_groups=3:1:1: plan.sync_groups: 3 groups (no stage has more than 2 layers)"},
      {"plan.check_memory=maybe", "'maybe' is neither true nor false"},
      {"job.optimizer_offload=2", "'2' is neither true nor false"},
      {"job.kept_per_layer=0", "0 is out of range"},
      {"plan.compression.activations=zip", "plan.compression.activations: 'zip' is not known"},
      {"plan.compression.gradients=top_k", "accepted: none, fp16, bf16, int8, int4, top_k:SHARE"},
      {"plan.compression.gradients=top_k:0 %", "'top_k:0 %' keeps no share of the values"},
      {"plan.compression.gradients=top_k:5", "'top_k:5' keeps no share of the values"},
      {"plan.compression.rate=0 GB/s", "is zero"},
      {"plan.compression.speed=1", "unknown key 'speed' in plan.compression"},
      {"plan.compression=int8", "plan.compression"},
      {"plan.compression.activations.between_cities=int8", "unknown key 'between_cities'"},
      {"plan.compression.activations.otherwise=zip", "plan.compression.activations: 'zip' is not known"},
      {"plan.warm_up=[0, 1]",
       "runs 1 (each would wait for the other for ever); accepted: numbers that do not increase"},
      {"plan.warm_up=[1]", "plan.warm_up has 1 entries for 2 stages"},
      {"plan.warm_up=[1, -1]", "out of range"},
      {"plan={pipeline: 2, data: 2, schedule: 1f1b, gradient_sync: auto, synchronous_transfers: true, warm_up: [3, "
       "0]}",
       "stage 0 runs more than two forwards further ahead than the next"},
      {"plan.ring_order=random", "'random' is not known"},
      {"plan.phase_barrier=true", "it has no phases to put a barrier between"},
      {"plan.layers_per_stage=[1, 2]", "does not add up (the model has 4 layers)"},
      {"plan.layers_per_stage=[4]", "has 1 entries for 2 stages"},
      {"plan.pipelines=[{layers: [2, 2]}]",
       "plan.pipeline beside plan.pipelines (the list says what each replica is"},
      {"plan={pipelines: [], schedule: gpipe, gradient_sync: ring_all_reduce}", "an empty list"},
      {"plan={pipelines: [{layers: [4]}], schedule: gpipe, gradient_sync: ring_all_reduce}",
       "plan.pipelines: 1 ranks (the platform has"},
      {"plan={pipelines: [{layers: [1, 2], count: 2}], schedule: gpipe, gradient_sync: ring_all_reduce}",
       "do not add up"},
      {"plan={pipelines: [{layers: [2, 2], tensor: [1]}], schedule: gpipe, gradient_sync: ring_all_reduce}",
       "1 degrees for 2 stages"},
      {"plan={pipelines: [{layers: [4], tensor: 3}], schedule: gpipe, gradient_sync: ring_all_reduce}", "3 ranks"},
      {"plan={pipelines: [{layers: [0, 4]}], schedule: gpipe, gradient_sync: ring_all_reduce}", "0 is out of range"},
      {"plan={pipelines: [{layers: [2, 2], count: 1000000}], schedule: gpipe, gradient_sync: ring_all_reduce}",
       "ranks (the platform has"},
      {"plan={pipelines: [{layers: [4], speed: 2}], schedule: gpipe, gradient_sync: ring_all_reduce}",
       "unknown key 'speed'"},
      {"plan.expert=2", "plan.expert: 2 beside a dense model (it has no experts to divide)"},
      {"plan={pipeline: 2, data: 2, expert: 4, schedule: gpipe, gradient_sync: ring_all_reduce}",
       "beside a dense model"},
      {"plan.expert=0", "0 is out of range"},
      {"plan.context=2", "plan: pipeline 2 x data 2 x tensor 1 x context 2 = 8 ranks"},
      {"plan.context=0", "0 is out of range"},
      {"plan={pipeline: 1, data: 1, context: 4, balance: [layers], schedule: gpipe, gradient_sync: ring_all_reduce}",
       "plan.context: 4 beside balance (balanced replicas differ, and cut no sequences)"},
      {"plan={pipeline: 1, data: 1, context: 4, zero: 1, shards: [1], schedule: gpipe, gradient_sync: "
       "ring_all_reduce}",
       "plan.context: 4 beside shards"},
      {"plan={pipelines: [{layers: [4]}], context: 4, schedule: gpipe, gradient_sync: ring_all_reduce}",
       "plan.context beside plan.pipelines"},
      {"plan={pipeline: 1, data: 1, context: 4, workload: collective, schedule: gpipe, gradient_sync: "
       "ring_all_reduce}",
       "it runs over replicas"},
      {"plan.shards=[0.5, 0.6]", "the shares add up to 1.1"},
      {"plan.shards=[0.5, 0.5]", "plan.shards beside zero: 0 (nothing is sharded)"},
      {"network.model=tcp", "'tcp' is not known"},
      {"network.efficiency=0", "0 is out of range"},
      {"network.message_cost=10", "'10' has no unit"},
      {"network.message_cost=-10 ms", "'-10 ms' is negative"},
      {"network.message_cost=1e300 s", "'1e300 s' is out of range; accepted: from 1e-12 s to 1e9 s"},
      {"network.tcp_window=1e-300 B", "'1e-300 B' is out of range; accepted: from 1 B to 1e18 B"},
      {"job.gradient_bytes=1e300 B", "'1e300 B' is out of range"},
      {"job.compute={forward: 1e308 s, backward: 1e308 s}", "'1e308 s' is out of range"},
      {"scheduler.gradient_bytes=1e290 TB", "'1e290 TB' is out of range"},
      {"network.chunk=1 B", "a chunk this small makes millions of messages"},
      {"network.profile=carrier_pigeon", "there is no 'carrier_pigeon' in scenarios/networks"},
      {"scheduler.population=1", "1 is out of range"},
      {"scheduler.gradient_bytes=inf", "cannot read 'inf'"},
      {"scheduler.rank_map=[0, 1, 2, 2]", "rank 2 stands twice"},
      {"platform=scenarios/README.md", "README.md"},
      {"platform=missing.xml", "missing.xml: cannot open the file"},
  };
  for (const auto& [assignment, message] : overrides)
    check({"run two_sites_smoke --set '" + assignment + "'", message});
  check({"run two_sites_smoke --set job.gradient_bytes=1e18 --set network.collective_efficiency=0.000001",
         "bytes (more than can be counted)"});
}

TEST_CASE("mistakes in scenario files") {
  const Scratch scratch;
  const std::vector<std::pair<std::string, std::string>> files{
      {"", "empty"},
      {"name: x\n", "key 'description' is missing"},
      {"name: x\nname: y\n", "key 'name' appears twice"},
      {"name: [x\n", "the YAML cannot be read"},
      {"- 1\n- 2\n", "the top level is not a map"},
      {std::string("\0\1\2\3", 4), "the top level is not a map"},
      {"name: \"\xff\"\n", "bad.yaml:1:8: this is not UTF-8"},
      {"name: " + std::string(5U << 20U, 'x') + "\n", "the file is too large"},
  };
  for (const auto& [text, message] : files) check({"run " + scratch.write("bad.yaml", text), message});
}

TEST_CASE("a data folder that is not there is a mistake, not an empty list") {
  const Scratch scratch;
  setenv("LONGHAUL_DATA", scratch.path("nowhere").c_str(), 1);
  check({"list models", "cannot read the data folder"});
  check({"run two_sites_smoke", "cannot read the data folder"});
  unsetenv("LONGHAUL_DATA");
}

TEST_CASE("a failed run leaves no result folder behind") {
  const Scratch scratch;
  check({"run two_sites_smoke --set job.layers=1 --out " + scratch.path("out"), "every stage needs a layer"});
  CHECK_FALSE(std::filesystem::exists(scratch.path("out")));
  // Known before the simulation, during it, and when the last file is written.
  check({"run two_sites_smoke --set plan.pipeline=3 --out " + scratch.path("out/deep"), "6 ranks"});
  CHECK_FALSE(std::filesystem::exists(scratch.path("out")));
  check({"run two_sites_smoke --set job.gradient_bytes=1e18 --set network.collective_efficiency=0.000001 --out " +
             scratch.path("out"),
         "more than can be counted"});
  CHECK_FALSE(std::filesystem::exists(scratch.path("out")));
  std::filesystem::create_directories(scratch.path("out/metrics.json"));
  check({"run two_sites_smoke --out " + scratch.path("out"), "cannot write the file (a folder has that name)"});
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.path("out")), {}) == 1);
}

TEST_CASE("a run whose results have no place fails before it begins") {
  // It would take minutes.
  check({"run common_job --set job.micro_batches=50000 --out /proc/nowhere", "cannot create the folder"});
}

TEST_CASE("of several cluster descriptions with a mistake in one, none is built") {
  const Scratch scratch;
  std::filesystem::copy(LONGHAUL_SOURCE_DIR "/platforms/two_sites.yaml", scratch.path("good.yaml"));
  check({"platform build " + scratch.path("good.yaml") + " " + scratch.write("bad.yaml", "name: x\n"), "bad.yaml"});
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}) == 2);
}
