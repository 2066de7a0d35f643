// The pictures of a run that are no plain charts: its timeline, and the map of its links.
#include <catch2/catch.hpp>

#include "analysis/coastlines.hpp"
#include "analysis/label_places.hpp"
#include "analysis/map_gnuplot.hpp"
#include "analysis/timeline_gnuplot.hpp"
#include "sim/base/error.hpp"
#include "sim/base/program.hpp"

using namespace longhaul;

namespace {

// One device in each of the regions; every link 1 s and 10 B/s.
RunResult run_in(const std::vector<std::string>& regions) {
  std::vector<Device> devices;
  for (const std::string& region : regions)
    devices.push_back({region + "-0", "V100", region, region + "-m", Bytes(0), FlopsPerSecond(1)});
  RunResult run;
  run.platform = PlatformView("p", devices,
                              std::vector<Path>(devices.size() * devices.size(), {Seconds(1), BytesPerSecond(10)}));
  run.record.scenario = "a 'scenario' <&>";
  run.record.scheduler = "s";
  run.record.metrics = Metrics{};
  run.record.metrics->iteration = Seconds(10);
  run.timeline.end = Seconds(10);
  return run;
}

void add(RunResult& run, TaskletKind kind, std::uint32_t from, std::uint32_t to, double start, double released) {
  Tasklet tasklet;
  tasklet.kind = kind;
  tasklet.device = DeviceId(from);
  tasklet.target = DeviceId(to);
  tasklet.bytes = Bytes(is_transfer(kind) ? 20 : 0);
  run.tasklets.push_back(tasklet);
  run.timeline.spans.push_back({Seconds(start), Seconds(released), Seconds(released + 1)});
}

void check_svg(const Drawing& drawing) {
  const std::string svg = svg_of(drawing);
  CHECK(svg == svg_of(drawing));
  CHECK(run_program({"xmllint", {"--noout", "--nonet", "-"}, "libxml2-utils"}, svg).exit_code == 0);
}

}  // namespace

TEST_CASE("a transfer takes a lane of its sender and one of its receiver, barriers take none") {
  RunResult run = run_in({"a", "b"});
  add(run, TaskletKind::activation_transfer, 0, 1, 2, 3);
  add(run, TaskletKind::forward, 0, 0, 0, 2);
  add(run, TaskletKind::barrier, 0, 0, 4, 4);
  add(run, TaskletKind::barrier_message, 0, 1, 4, 5);
  const std::vector<Bar> bars = timeline_bars(run, 100);
  REQUIRE(bars.size() == 3);
  CHECK(bars[0].lane == Lane::compute);
  CHECK(bars[0].end == Seconds(2));
  CHECK(bars[1].lane == Lane::send);
  CHECK(bars[2].lane == Lane::receive);
  CHECK(bars[2].device == DeviceId(1));
  CHECK(bars[2].start == Seconds(2));
}

TEST_CASE("of too many bars, the nearest neighbours of one kind become one") {
  RunResult run = run_in({"a"});
  add(run, TaskletKind::forward, 0, 0, 0, 1);
  add(run, TaskletKind::forward, 0, 0, 1.01, 2);
  add(run, TaskletKind::forward, 0, 0, 4, 5);
  add(run, TaskletKind::backward, 0, 0, 5, 6);
  add(run, TaskletKind::forward, 0, 0, 6, 9);
  CHECK(timeline_bars(run, 5).size() == 5);
  const std::vector<Bar> four = timeline_bars(run, 4);
  REQUIRE(four.size() == 4);
  CHECK(four[0].end == Seconds(2));
  const std::vector<Bar> two = timeline_bars(run, 2);  // no gap is narrow enough: the longest of three
  REQUIRE(two.size() == 2);
  CHECK(two[0].end == Seconds(5));
  CHECK(two[1].start == Seconds(6));
}

TEST_CASE("the timeline has a row per device in the order of ranks, and names the kinds that occur") {
  RunResult run = run_in({"a", "b"});
  run.record.plan.rank_of_device = {RankId(1), RankId(0)};
  add(run, TaskletKind::forward, 0, 0, 0, 2);
  add(run, TaskletKind::gradient_transfer, 0, 1, 2, 3);
  const Drawing drawing = drawing_of_timeline(run);
  CHECK_THAT(drawing.script, Catch::Contains("('a-0' 1, 'b-0' 0)"));
  CHECK_THAT(drawing.script, Catch::Contains("0 1 0 2 0.56 1.06"));
  CHECK(drawing.plots == std::vector<std::string>{"forward", "gradient transfer"});
  check_svg(drawing);
  check_svg(drawing_of_timeline(run_in({"a"})));
  check_svg(drawing_of_timeline(run_in(std::vector<std::string>(200, "many"))));
}

TEST_CASE("a map shows regions by their labels and the links that carried something") {
  RunResult run = run_in({"x", "y"});
  add(run, TaskletKind::gradient_transfer, 0, 1, 2, 3);
  const std::map<std::string, Place> places{{"x", {"X & Co", 50, 0}}, {"y", {"Y", 40, 40}}};
  const std::optional<Drawing> drawing = drawing_of_map(run, places, {{{0, 40}, {10, 40}, {10, 50}, {0, 40}}});
  REQUIRE(drawing);
  CHECK_THAT(drawing->script, Catch::Contains("set label 'X & Co'") && Catch::Contains("$links_4 << END") &&
                                  Catch::Contains("$land using"));
  CHECK_THAT(drawing->summary, Catch::Contains("from X & Co to Y, uses 20 % of its capacity"));
  check_svg(*drawing);
}

TEST_CASE("a link over the date line leaves the map and comes back on its other side") {
  RunResult run = run_in({"x", "y"});
  const std::map<std::string, Place> places{{"x", {"X", 40, -120}}, {"y", {"Y", 40, 140}}};
  const auto curves = [&] {
    const std::string script = drawing_of_map(run, places, {})->script;
    std::size_t heads = script.find("$heads_4 << END\n");
    if (heads == std::string::npos) return std::size_t{0};
    const std::string data = script.substr(heads, script.find("\nEND", heads) - heads);
    return static_cast<std::size_t>(std::count(data.begin(), data.end(), '\n'));
  };
  CHECK(curves() == 0);
  add(run, TaskletKind::gradient_transfer, 0, 1, 2, 3);
  CHECK(curves() == 2);
}

TEST_CASE("there is no map where a place is unknown, or of one region") {
  const std::map<std::string, Place> places{{"x", {"X", 50, 0}}};
  CHECK_FALSE(drawing_of_map(run_in({"x", "y"}), places, {}));
  CHECK_FALSE(drawing_of_map(run_in({"x"}), places, {}));
}

TEST_CASE("rings of land are read from arcs, backwards too, and go on beyond the date line") {
  const std::vector<Ring> rings = land_rings(
      R"({"transform": {"scale": [1, 0.5], "translate": [-180, -90]},
          "arcs": [[[350, 180], [20, 20], [-5, 5]], [[350, 180], [15, 25]]],
          "objects": {"land": {"geometries": [{"type": "MultiPolygon", "arcs": [[[0, -2]]]}]}}})");
  REQUIRE(rings.size() == 1);
  CHECK(rings[0] == Ring{{170, 0}, {190, 10}, {185, 12.5}, {170, 0}});
  CHECK(land_rings("").empty());
  CHECK_THROWS_AS(land_rings("{}"), InternalError);
}

TEST_CASE("land around a pole is closed over the pole") {
  const std::vector<Ring> rings = land_rings(
      R"({"transform": {"scale": [1, 1], "translate": [0, 0]}, "arcs": [[[-180, -70], [120, 0], [120, 0], [120, 0]]],
          "objects": {"land": {"geometries": [{"type": "Polygon", "arcs": [[0]]}]}}})");
  REQUIRE(rings.size() == 1);
  CHECK(rings[0].size() == 7);
  CHECK(rings[0][4] == std::pair<double, double>(180, -90));
  CHECK(rings[0].back() == rings[0].front());
}

TEST_CASE("labels stand beside their marks, off each other and off lines") {
  Layout layout;
  layout.plot_width = 200;
  layout.plot_height = 100;
  layout.right = 0;
  CHECK_THAT(label_commands({{100, 50, "one"}}, layout),
             Catch::Contains("set label 'one' at graph 0.54500,0.50000 left"));
  CHECK_THAT(label_commands({{100, 50, "one"}}, layout, {{115, 50, ""}}), Catch::Contains("0.45500,0.50000 right"));
  CHECK_THAT(label_commands({{190, 50, "one"}}, layout), Catch::Contains("right"));
  CHECK_THAT(label_commands({{100, 50, "one"}, {115, 50, "two"}}, layout),
             Catch::Contains("'one' at graph 0.45500") && Catch::Contains("'two' at graph 0.62000"));
  CHECK(label_commands({{100, 50, std::string(100, 'x')}}, layout).empty());
}
