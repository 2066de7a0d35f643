// Plans whose replicas differ: who is who, who sends what to whom, who synchronises what.
#include <map>
#include <numeric>

#include <catch2/catch.hpp>

#include "sim/base/random.hpp"
#include "sim/workload/chunk_chain.hpp"
#include "sim/workload/fixed_plan.hpp"
#include "sim/workload/sync_team.hpp"
#include "tests/support/platforms.hpp"

using namespace longhaul;

namespace {

Job job_of(std::int64_t layers) {
  Job job;
  job.model = find_model("gpt3_xl_dtfm", {});
  job.model.layers = layers;
  return job;
}

// Layers cut at random, slices of 1, 2 or 4.
PipelinePlan random_pipeline(std::size_t layers, RandomStream& random) {
  PipelinePlan pipeline;
  while (layers > 0) {
    pipeline.layers.push_back(1 + random.below(layers));
    pipeline.tensor.push_back(std::size_t{1} << random.below(3));
    layers -= pipeline.layers.back();
  }
  pipeline.micro_batch_size = 1 + random.below(4);
  pipeline.micro_batches = 1 + random.below(9);
  return pipeline;
}

Plan random_plan(std::size_t layers, std::uint64_t seed) {
  RandomStream random(seed, "uneven plans");
  std::vector<PipelinePlan> pipelines(2 + random.below(3));
  for (PipelinePlan& pipeline : pipelines) pipeline = random_pipeline(layers, random);
  Plan plan = test_plan(1, 1, 1, "1f1b", "ring_all_reduce");
  set_pipelines(plan, pipelines);
  return plan;
}

}  // namespace

TEST_CASE("ranks of replicas that are alike are numbered by degrees") {
  Plan plan = test_plan(3, 4, 1, "1f1b", "ring_all_reduce");
  plan.degrees.tensor = 2;
  const RankLayout layout(plan);
  REQUIRE(layout.ranks() == 24);
  for (std::size_t number = 0; number < 24; ++number) {
    const RankId rank(number);
    CHECK(layout.replica(rank) == plan.degrees.replica(rank));
    CHECK(layout.stage(rank) == plan.degrees.stage(rank));
    CHECK(plan.degrees.rank(layout.replica(rank), layout.stage(rank), layout.slice(rank)) == rank);
    CHECK(layout.rank(layout.replica(rank), layout.stage(rank), layout.slice(rank)) == rank);
  }
}

TEST_CASE("ranks of replicas that differ are numbered one after another") {
  Plan plan = test_plan(1, 1, 1, "1f1b", "ring_all_reduce");
  set_pipelines(plan, {{{12, 12}, {2, 1}, 1, 4, {}, ""}, {{24}, {4}, 1, 4, {}, ""}});
  const RankLayout layout(plan);
  CHECK(plan.ranks() == 7);
  CHECK_FALSE(plan.has_regular_ranks());
  CHECK(layout.rank(Replica(0), Stage(1)) == RankId(2));
  CHECK(layout.rank(Replica(1), Stage(0), 3) == RankId(6));
  CHECK(layout.stage(RankId(2)) == Stage(1));
  CHECK(layout.slices(Replica(1), Stage(0)) == 4);
  CHECK(plan.degrees == Degrees{2, 2, 4});
}

TEST_CASE("replicas that turn out alike become a plan of degrees") {
  Plan plan = test_plan(2, 3, 7, "1f1b", "ring_all_reduce");
  Plan listed = plan;
  set_pipelines(listed, {plan.pipeline(Replica(0)), plan.pipeline(Replica(1)), plan.pipeline(Replica(2))});
  listed.rank_of_device = plan.rank_of_device;
  CHECK(listed == plan);
  PipelinePlan pinned = plan.pipeline(Replica(0));
  pinned.device_type = "V100-SXM2-16GB";
  set_pipelines(listed, {pinned, pinned});
  CHECK(listed.pipelines.size() == 2);
}

TEST_CASE("between stages of different degrees every share goes where it belongs, once") {
  for (std::size_t from = 1; from <= 6; ++from)
    for (std::size_t to = 1; to <= 6; ++to) {
      INFO(from << " slices to " << to);
      Plan plan = test_plan(1, 1, 1, "1f1b", "ring_all_reduce");
      set_pipelines(plan, {{{12, 12}, {from, to}, 1, 1, {}, ""}, {{24}, {1}, 1, 1, {}, ""}});
      const RankLayout layout(plan);
      const ChunkChain chain(plan, layout);
      std::vector<double> received(to, 0);
      for (std::size_t slice = 0; slice < from; ++slice) {
        double sent = 0;
        for (const ChunkPeer& peer : chain.after(RankId(slice), 0)) {
          sent += peer.of(Bytes(1)).value;
          received[layout.slice(peer.rank)] += peer.of(Bytes(1)).value;
          CHECK(layout.stage(peer.rank) == Stage(1));
        }
        CHECK(sent == Approx(1.0 / static_cast<double>(from)));
        CHECK(chain.before(RankId(slice), 0).empty());
      }
      for (const double share : received) CHECK(share == Approx(1.0 / static_cast<double>(to)));
      // Gradients come back the same way.
      std::size_t back = 0;
      std::size_t forth = 0;
      for (std::size_t slice = 0; slice < from; ++slice) forth += chain.after(RankId(slice), 0).size();
      for (std::size_t slice = 0; slice < to; ++slice) back += chain.before(RankId(from + slice), 0).size();
      CHECK(forth == back);
    }
}

TEST_CASE("every rank synchronises what it holds, once, with one rank of every other replica") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    const std::size_t layers = 3 + seed % 20;
    const Job job = job_of(static_cast<std::int64_t>(layers));
    Plan plan = random_plan(layers, seed);
    plan.sync_groups = 1 + seed % 3;
    if (plan.pipelines.empty()) continue;
    const RankLayout layout(plan);
    const SyncTeams sync = sync_teams(job, plan, layout);
    std::map<RankId, double> synchronised;
    double whole = 0;
    for (const SyncTeam& team : sync.teams) {
      REQUIRE(team.ranks.size() == layout.replicas());
      double shares = 0;
      for (const SyncTeam::Piece& piece : team.pieces) shares += piece.share;
      CHECK(shares == Approx(1));
      whole += team.gradient.value;
      for (std::size_t replica = 0; replica < layout.replicas(); ++replica) {
        CHECK(layout.replica(team.ranks[replica]) == Replica(replica));
        synchronised[team.ranks[replica]] += team.gradient.value;
      }
    }
    CHECK(whole == Approx(total_parameters(job.model) * job.value_bytes()));
    for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
      const Replica replica = layout.replica_of_cell(cell);
      const Stage stage = layout.stage_of_cell(cell);
      const PipelinePlan& pipeline = plan.pipelines[replica.value];
      const StageLoad load = stage_loads(job, pipeline.layers, 1)[stage.value];
      const std::size_t slices = layout.slices(replica, stage);
      for (std::size_t slice = 0; slice < slices; ++slice)
        CHECK(synchronised[layout.rank(replica, stage, slice)] ==
              Approx(load.gradient.value / static_cast<double>(slices)));
    }
  }
}

TEST_CASE("a sync group of every member completes the layers of its piece") {
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    INFO("seed " << seed);
    const Job job = job_of(12);
    Plan plan = random_plan(12, seed);
    plan.sync_groups = 3;
    if (plan.pipelines.empty()) continue;
    const RankLayout layout(plan);
    const SyncTeams sync = sync_teams(job, plan, layout);
    // Gradients of a stage's groups, by what the teams say that each completes.
    std::map<std::pair<std::size_t, std::size_t>, double> by_group;
    for (const SyncTeam& team : sync.teams)
      for (const SyncTeam::Piece& piece : team.pieces)
        for (std::size_t replica = 0; replica < layout.replicas(); ++replica)
          by_group[{layout.cell(team.ranks[replica]), piece.group[replica]}] += team.gradient.value * piece.share;
    for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
      const PipelinePlan& pipeline = plan.pipelines[layout.replica_of_cell(cell).value];
      const StageLoad load = stage_loads(job, pipeline.layers, 1)[layout.stage_of_cell(cell).value];
      std::size_t layers = 0;
      for (std::size_t group = 0; group < sync.groups[cell].size(); ++group) {
        layers += sync.groups[cell][group].layers;
        CHECK(by_group[{cell, group}] == Approx(load.gradient.value * sync.groups[cell][group].gradient_share));
      }
      CHECK(layers == pipeline.layers[layout.stage_of_cell(cell).value]);
    }
  }
}

TEST_CASE("sequences of an iteration are those of all replicas and passes") {
  Plan plan = test_plan(1, 1, 1, "1f1b", "ring_all_reduce");
  set_pipelines(plan, {{{24}, {1}, 2, 10, {}, ""}, {{12, 12}, {1, 1}, 1, 3, {}, ""}});
  plan.passes = 2;
  CHECK(samples_per_iteration(plan) == 46);
}
