// Result files read back, and the charts made of them.
#include <cmath>
#include <filesystem>

#include <catch2/catch.hpp>

#include "analysis/link_use.hpp"
#include "analysis/rank_correlation.hpp"
#include "analysis/record_file.hpp"
#include "analysis/result_charts.hpp"
#include "analysis/timeline_file.hpp"
#include "sim/base/error.hpp"
#include "sim/results/json.hpp"
#include "tests/support/platforms.hpp"
#include "tests/support/results.hpp"

using namespace longhaul;

namespace {

// Two regions of two devices; device 0 sends 300 B and 100 B to region r1, device 1 sends 100 B: in 10 s at 100 B/s.
RunResult small_run(LinkSharing sharing) {
  RunResult run;
  run.platform = load_cluster(test_cluster({2, 2}, BandwidthLimit::per_pair)).view;
  run.sharing = sharing;
  const auto transfer = [&](std::size_t from, std::size_t to, double bytes, double start, double end) {
    Tasklet task;
    task.kind = TaskletKind::activation_transfer;
    task.device = DeviceId(from);
    task.target = DeviceId(to);
    task.bytes = Bytes(bytes);
    run.tasklets.push_back(task);
    run.timeline.spans.push_back({Seconds(start), Seconds(end), Seconds(end + 1)});
  };
  transfer(0, 2, 300, 0, 3);
  transfer(1, 3, 100, 2, 4);
  transfer(0, 3, 100, 6, 7);
  transfer(2, 3, 100, 7, 8);
  run.timeline.end = Seconds(10);
  return run;
}

const LinkUse& use_between(const std::vector<LinkUse>& uses, std::size_t from, std::size_t to) {
  for (const LinkUse& use : uses)
    if (use.link.from == from && use.link.to == to) return use;
  throw std::runtime_error("no such link");
}

}  // namespace

TEST_CASE("records read back are those that were written") {
  const Scratch scratch;
  fill_with_results(scratch.folder());
  const std::string run = scratch.path("metrics.json");
  CHECK(json_of(read_record(run), Timing::hidden) == file_text(run));
  const std::string comparison = scratch.path("comparison.json");
  CHECK(json_of(read_records(comparison), Timing::hidden) == file_text(comparison));
  CHECK(longhaul_program("compare two_sites_smoke --schedulers identity,random --json").out == file_text(comparison));
}

TEST_CASE("a record of a plan with choices of its own reads back") {
  const Scratch scratch;
  REQUIRE(longhaul_program("run two_sites_smoke --set plan.sync_groups=2 --set plan.ring_order=nearest --set "
                           "'plan.compression={activations: int8, gradients: top_k:5 %, rate: 9 GB/s}' --out " +
                           scratch.path("out"))
              .exit_code == 0);
  const std::string run = scratch.path("out/metrics.json");
  CHECK(json_of(read_record(run), Timing::hidden) == file_text(run));
}

TEST_CASE("a timeline read back has the run's tasklets, and ends with its iteration") {
  const Scratch scratch;
  fill_with_results(scratch.folder());
  const ResultFolder results = read_results(scratch.folder());
  REQUIRE(results.run);
  CHECK(results.run->tasklets.size() == results.run->record.metrics->tasklets);
  CHECK(results.run->timeline.end.value == Approx(results.run->record.metrics->iteration.value));
  CHECK(results.run->description == "Two GPUs at each of two sites: small enough to follow by hand");
  CHECK(results.comparison.size() == 2);
  CHECK(results.studies.empty());
  CHECK_FALSE(results.explanation);
}

TEST_CASE("names with commas and quotes come back from a timeline") {
  std::vector<Device> devices{{"a,\"b\"", "", "r", "m", {}, {}}, {"c", "", "r", "n", {}, {}}};
  const PlatformView platform("p", devices, std::vector<Path>(4));
  const Scratch scratch;
  const std::string head = "tasklet,kind,rank,device,target,micro_batch,flop,bytes,start_s,released_s,finish_s\n";
  const std::string file =
      scratch.write("t.csv", head + "0,activation_transfer,0,\"a,\"\"b\"\"\",c,7,0,5,1.5,2.000000001,3\n");
  const TimelineFile timeline = read_timeline(file, platform);
  REQUIRE(timeline.tasklets.size() == 1);
  CHECK(timeline.tasklets[0].device == DeviceId(0));
  CHECK(timeline.tasklets[0].target == DeviceId(1));
  CHECK(timeline.tasklets[0].micro_batch == MicroBatch(7));
  CHECK(timeline.timeline.spans[0].released == Seconds(2.000000001));
  for (const char* line :
       {"0,activation_transfer,0,c,c,7,0,5,1,2", "0,sleep,0,c,,,0,0,1,2,3\n", "0,forward,0,d,,,0,0,1,2,3\n",
        "1,forward,0,c,,,0,0,1,2,3\n", "0,forward,0,c,,,0,0,3,2,1\n", "0,forward,0,c,,,0,0,1,2,nan\n",
        "0,forward,0,c,,,0,0,1,2\n", ""}) {
    INFO(line);
    CHECK_THROWS_AS(read_timeline(scratch.write("t.csv", head + line), platform), UserError);
  }
}

TEST_CASE("a link's use is what its busiest sender sends, over what the bandwidth carries") {
  const std::vector<LinkUse> uses = link_uses(small_run(LinkSharing::none));
  CHECK(uses.size() == 4);
  const LinkUse& across = use_between(uses, 0, 1);
  CHECK(across.bytes == Bytes(500));
  CHECK(across.transfers == 3);
  CHECK(across.senders == 2);
  CHECK(across.busy.value == Approx(5));
  CHECK(across.utilisation == Approx(400.0 / 1000));
  CHECK(use_between(uses, 1, 0).utilisation == 0);
  CHECK(use_between(uses, 1, 1).bytes == Bytes(100));
}

TEST_CASE("a trunk's use counts everybody") {
  CHECK(use_between(link_uses(small_run(LinkSharing::everyone)), 0, 1).utilisation == Approx(500.0 / 1000));
}

TEST_CASE("rank correlations of small lists, worked out by hand") {
  const auto same = rank_correlation({1, 2, 3}, {10, 20, 400});
  REQUIRE(same);
  CHECK(same->spearman == Approx(1));
  CHECK(same->kendall == Approx(1));
  const auto opposite = rank_correlation({1, 2, 3}, {3, 2, 1});
  CHECK(opposite->spearman == Approx(-1));
  CHECK(opposite->kendall == Approx(-1));
  const auto tied = rank_correlation({1, 2, 2, 3}, {1, 2, 3, 4});  // ranks 0 1.5 1.5 3; 5 pairs agree, 1 is a tie
  CHECK(tied->spearman == Approx(4.5 / std::sqrt(4.5 * 5)));
  CHECK(tied->kendall == Approx(5 / std::sqrt(5.0 * 6)));
  CHECK_FALSE(rank_correlation({1}, {1}));
  CHECK_FALSE(rank_correlation({1, 1}, {1, 2}));
}

TEST_CASE("a study over numbers becomes lines with bands, on logarithmic axes past a decade") {
  const Scratch scratch;
  const std::vector<Chart> charts = swept_study_charts(read_swept_study(scratch.write("results.json", study_json())));
  REQUIRE(charts.size() == 1);
  const Chart& chart = charts[0];
  CHECK(chart.id == "wide_area_iteration_seconds");
  CHECK(chart.kind == ChartKind::lines);
  CHECK(chart.x.scale == Scale::logarithmic);
  CHECK(chart.y.scale == Scale::logarithmic);
  REQUIRE(chart.series.size() == 2);
  CHECK(chart.series[1].name == "random");
  CHECK(chart.series[1].x == std::vector<double>{0.1, 1, 10, 20});
  CHECK(chart.series[1].y == std::vector<double>{200, 40, 10, 8});
  CHECK(chart.series[1].low[0] == Approx(180));
  CHECK(chart.series[1].high[3] == Approx(8.8));
}

TEST_CASE("a study over words becomes bars; with a reference, differences from it") {
  SweptStudy study;
  study.name = "upgrades";
  study.axes = {{"link", "", {"none", "a->b", "b->a"}, {}, false}};
  study.metrics = {
      {"iteration_seconds", {{{0}, 40, 40, 40, 40, 1}, {{1}, 39, 39, 39, 39, 1}, {{2}, 30, 30, 30, 30, 1}}}};
  const Chart bars = swept_study_charts(study).front();
  CHECK(bars.kind == ChartKind::stacked_bars);
  CHECK(bars.categories == std::vector<std::string>{"none", "a->b", "b->a"});
  CHECK(bars.series[0].y == std::vector<double>{40, 39, 30});
  study.figure = SweptFigure{"Gains", 0, "iteration_seconds", "gain (s)", 0};
  const Chart gains = swept_study_charts(study).front();
  CHECK(gains.title == "Gains");
  CHECK(gains.categories == std::vector<std::string>{"b->a", "a->b"});
  CHECK(gains.series[0].y == std::vector<double>{10, 1});
}

TEST_CASE("charts of a folder have ids of their own") {
  const Scratch scratch;
  for (const char* folder : {"a", "b"}) {
    std::filesystem::create_directories(scratch.path(folder));
    scratch.write(std::string(folder) + "/results.json", study_json());
  }
  const std::vector<Chart> charts = result_charts(read_results(scratch.folder()));
  REQUIRE(charts.size() == 2);
  CHECK(charts[0].id == "wide_area_iteration_seconds");
  CHECK(charts[1].id == "wide_area_iteration_seconds_2");
}

TEST_CASE("matrices hold what the platform says, and nothing where there is no path") {
  Cluster cluster = test_cluster({2, 1}, BandwidthLimit::per_pair);
  const PlatformView platform = load_cluster(cluster).view;
  const Chart latency = latency_chart(platform);
  CHECK(latency.categories == std::vector<std::string>{"r0", "r1"});
  CHECK(latency.series[0].y[1] == Approx(1000));
  CHECK(std::isnan(latency.series[1].y[1]));
  CHECK(bandwidth_chart(platform).series[0].y[1] == Approx(100 * 8e-9));
}

TEST_CASE("links of an explanation stand by what was gained, simulated before predicted") {
  const Scratch scratch;
  const ExplanationFile file = read_explanation(scratch.write("explanation.json", explanation_json()));
  CHECK(file.phase == "gradient sync");
  REQUIRE(file.links.size() == 2);
  CHECK(file.links[0].name == "north->south");
  CHECK(file.links[0].gain->value == 1.25);
  CHECK(file.links[0].simulated);
  CHECK_FALSE(file.links[1].simulated);
  CHECK(file.links[1].on_path == Seconds(0.5));
}
