#include "analysis/explanation.hpp"

#include <algorithm>

#include <catch2/catch.hpp>

#include "analysis/changed_durations.hpp"
#include "analysis/replay.hpp"
#include "tests/support/reruns.hpp"

using namespace longhaul;

namespace {

// Three regions with links of their own figures. `scale` makes bandwidths and, in jobs, messages larger.
Cluster three_regions(BandwidthLimit limit, double scale = 1) {
  Cluster cluster = test_cluster({2, 2, 2}, limit);
  for (std::size_t i = 0; i < cluster.between.size(); ++i)
    cluster.between[i] = link_figures(0.1 + 0.03 * static_cast<double>(i), scale * (80 + 7 * static_cast<double>(i)));
  return cluster;
}

// Machines of two devices in three regions, with network cards that both devices fill, behind trunks or without any limit.
Cluster shared_cards(BandwidthLimit limit) {
  Cluster cluster = test_cluster({1, 2, 1}, limit);
  for (std::size_t i = 0; i < cluster.between.size(); ++i)
    cluster.between[i] = link_figures(0.1 + 0.03 * static_cast<double>(i), 80 + 7 * static_cast<double>(i));
  for (Machine& machine : cluster.machines) {
    machine.devices = 2;
    machine.inside = link_figures(0, 1000);
    machine.nic = Nic{BytesPerSecond(90), BytesPerSecond(100)};
  }
  return cluster;
}

int sign(Seconds seconds) { return seconds.value > 0 ? 1 : seconds.value < 0 ? -1 : 0; }

// Point 2 of how explanations are judged.
void check_predictions(std::vector<Sensitivity> list) {
  REQUIRE(list.size() > 5);
  std::stable_sort(list.begin(), list.end(), [](const Sensitivity& a, const Sensitivity& b) {
    return std::abs(a.twice.simulated->value) > std::abs(b.twice.simulated->value);
  });
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Gain& gain = list[i].twice;
    INFO(list[i].load.target.name << " " << gain.predicted.value << " " << gain.simulated->value);
    const bool nothing = std::abs(gain.simulated->value) < 1e-9;
    CHECK(sign(gain.predicted) == (nothing ? 0 : sign(*gain.simulated)));
    if (i < 5) CHECK(gain.predicted.value == Approx(gain.simulated->value).epsilon(0.2).margin(1e-9));
  }
}

}  // namespace

TEST_CASE("predicted gains agree with simulations, whatever limits the bandwidth and syncs the gradients") {
  const BandwidthLimit limit = GENERATE(BandwidthLimit::per_sender_and_class, BandwidthLimit::per_pair);
  Plan plan = test_plan(2, 3, 4, "gpipe", GENERATE("central_server", "sharded_server", "ring_all_reduce"));
  plan.phase_barrier = true;
  NetworkModel network;
  network.store_and_forward = 0.7;
  network.chunk = Bytes(200);
  const Explanation explanation = explain(rerunner_on(three_regions(limit), test_job(1, 2, 150, 700), plan, network));
  check_predictions(explanation.sensitivities);
}

TEST_CASE("predicted gains agree with simulations where devices share network cards and regions trunks") {
  const BandwidthLimit limit = GENERATE(BandwidthLimit::shared_trunk, BandwidthLimit::per_pair);
  const Plan plan = test_plan(4, 2, 4, "1f1b", GENERATE("sharded_server", "ring_all_reduce", "double_binary_tree"));
  NetworkModel network;
  network.store_and_forward = 0.7;
  const Rerunner rerunner = rerunner_on(shared_cards(limit), test_job(1, 2, 150, 700), plan, network);
  check_predictions(explain(rerunner).sensitivities);
}

TEST_CASE("a run is followed through the network, with shared links and TCP windows, to its simulated end") {
  NetworkModel network;
  network.tcp_window = Bytes(40);
  const Rerunner rerunner = rerunner_on(shared_cards(BandwidthLimit::shared_trunk), test_job(1, 2, 150, 700),
                                        test_plan(4, 2, 4, "gpipe", "sharded_server"), network);
  const ExplainedRun base(rerunner.run(0, {}, Extent::simulated), network);
  CHECK_FALSE(base.run.links.empty());
  CHECK(base.follows == Follows::network);
  const std::vector<WhatIf> changes{{WhatIf::Of::bandwidth, "nics", 2},
                                    {WhatIf::Of::bandwidth, "between_regions", 0.3}};
  for (const Gain& gain : gains_of(base, changes, {}, rerunner, Extent::simulated)) {
    CHECK(std::abs(gain.simulated->value) > 0.1);
    CHECK(gain.predicted.value == Approx(gain.simulated->value).epsilon(1e-6));
  }
}

TEST_CASE("predicted durations are the simulated ones where only figures change") {
  const double scale = GENERATE(1.0, 1e5);  // large enough for SimGrid's own TCP window
  NetworkModel network;
  network.equations = GENERATE(NetworkEquations::raw, NetworkEquations::cm02, NetworkEquations::lv08);
  network.store_and_forward = 0.5;
  if (network.equations == NetworkEquations::raw && GENERATE(false, true)) network.tcp_window = Bytes(40 * scale);
  const Rerunner rerunner =
      rerunner_on(three_regions(BandwidthLimit::per_pair, scale), test_job(1, 2, 150 * scale, 700),
                  test_plan(6, 1, 1, "gpipe", "ring_all_reduce"), network);
  const Rerun base = rerunner.run(0, {}, Extent::simulated);
  for (const WhatIf& change : {WhatIf{WhatIf::Of::bandwidth, "all", 2}, WhatIf{WhatIf::Of::delay, "r1->r2", 0.5},
                               WhatIf{WhatIf::Of::compute, "V100-SXM2-16GB", 2}}) {
    const Rerun changed = rerunner.run(0, {change}, Extent::simulated);
    const std::vector<Duration> predicted = changed_durations(base, changed, network);
    const std::vector<Duration> simulated = durations_of(changed.timeline);
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      CHECK(predicted[i].hold.value == Approx(simulated[i].hold.value).epsilon(1e-6));
      CHECK(predicted[i].lag.value == Approx(simulated[i].lag.value).epsilon(1e-6).margin(1e-9));
    }
  }
}

TEST_CASE("a link that carries nothing has no sensitivity and is not listed") {
  // Stage after stage in one direction through the regions and back: nothing goes from r0 to r2.
  const Rerunner rerunner = rerunner_on(three_regions(BandwidthLimit::per_sender_and_class), test_job(1, 2, 150, 700),
                                        test_plan(6, 1, 4, "gpipe", "ring_all_reduce"));
  const ExplainedRun base(rerunner.run(0, {}, Extent::simulated), rerunner.network);
  const std::vector<WhatIf> unused{{WhatIf::Of::bandwidth, "r0->r2", 2}, {WhatIf::Of::delay, "r2->r0", 0.5}};
  for (const Gain& gain : gains_of(base, unused, {}, rerunner, Extent::simulated)) {
    CHECK(gain.predicted == Seconds());
    CHECK(*gain.simulated == Seconds());
  }
  for (const Load& load : loads_of(base)) {
    CHECK(load.target.name != "r0->r2");
    if (load.target.kind != TargetKind::device_type) CHECK(load.bytes > Bytes());
  }
}

TEST_CASE("the next bottleneck starts from the iteration with the first one fixed") {
  const Rerunner rerunner = rerunner_on(three_regions(BandwidthLimit::per_pair), test_job(1, 2, 150, 700),
                                        test_plan(6, 1, 4, "gpipe", "ring_all_reduce"));
  const Explanation explanation = explain(rerunner);
  REQUIRE(explanation.next);
  CHECK(explanation.next->iteration == rerunner.run(0, {explanation.next->fixed}, Extent::simulated).timeline.end);
  CHECK(explanation.next->iteration < explanation.iteration);
  REQUIRE(!explanation.next->sensitivities.empty());
  const Sensitivity& second = explanation.next->sensitivities.front();
  const Seconds both =
      rerunner.run(0, {explanation.next->fixed, second.load.target.faster(2)}, Extent::simulated).timeline.end;
  CHECK(second.twice.simulated->value == Approx((explanation.next->iteration - both).value));
}

TEST_CASE("crossovers stand where the curves cross") {
  // 10 / f + 1 and 5 / f + 3 cross at 2.5, the second and 4 / f + 3.05 at 20.
  Rerunner rerunner;
  rerunner.plans = {"a", "b", "c"};
  rerunner.run = [](std::size_t plan, const std::vector<WhatIf>& changes, Extent) {
    const double bandwidth = changes.front().factor;
    const double seconds[] = {4 / bandwidth + 3.05, 5 / bandwidth + 3, 10 / bandwidth + 1};
    Rerun run;
    run.timeline.end = Seconds(seconds[plan]);
    return run;
  };
  const Crossovers crossovers = find_crossovers("between_regions", rerunner);
  REQUIRE(crossovers.found.size() == 1);
  CHECK(crossovers.found.front().factor == Approx(6 / 2.05).epsilon(0.01));
  CHECK(crossovers.found.front().below == 0);
  CHECK(crossovers.found.front().above == 2);
  CHECK(crossovers.grid.front().factor == Approx(0.1));
  CHECK(crossovers.grid.back().factor == Approx(100));
  rerunner.plans = {"a"};
  CHECK(find_crossovers("all", rerunner).found.empty());
}
