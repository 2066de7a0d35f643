// Charts as gnuplot scripts and SVG.
#include "analysis/chart_gnuplot.hpp"

#include <cmath>

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/base/program.hpp"
#include "sim/base/xml_text.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/scratch.hpp"

using namespace longhaul;

namespace {

// Everything that could mean something to gnuplot, XML or a format.
const std::string nasty = "a'b\"c <d> &e; 100 % %g {x_1} \\n `ls` @m $1 # é, \t\n\x01;";

Chart chart_of(ChartKind kind) {
  Chart chart;
  chart.id = "c";
  chart.title = "title " + nasty;
  chart.summary = "summary " + nasty;
  chart.kind = kind;
  chart.x = {"x " + nasty, Scale::logarithmic};
  chart.y = {"y " + nasty, kind == ChartKind::stacked_bars ? Scale::linear : Scale::logarithmic};
  chart.categories = {"first " + nasty, "second", "third"};
  for (int i = 0; i < 2; ++i) {
    Series series;
    series.name = "series " + std::to_string(i) + nasty;
    if (kind == ChartKind::lines || kind == ChartKind::points) series.x = {10, 0.1, 1};
    series.y = {1.0 + i, 3, 2};
    if (kind == ChartKind::lines) {
      series.low = {1, 2, 1.5};
      series.high = {3, 4, 2.5};
    }
    if (kind == ChartKind::points) series.labels = {"label " + nasty, "", ""};
    chart.series.push_back(series);
  }
  return chart;
}

const auto every_kind = {ChartKind::lines, ChartKind::points, ChartKind::stacked_bars, ChartKind::matrix};

ProgramAnswer drawn(const std::string& script) { return run_program({"gnuplot", {"-d"}, "gnuplot-nox"}, script); }

bool is_xml(const std::string& text) {
  return run_program({"xmllint", {"--noout", "--nonet", "-"}, "libxml2-utils"}, text).exit_code == 0;
}

// One or several whole lines.
bool has_line(const std::string& script, const std::string& line) {
  return ("\n" + script).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("a picture of each kind is XML that names its series and is the same twice, whatever the names hold") {
  for (const ChartKind kind : every_kind) {
    const Chart chart = chart_of(kind);
    const std::string svg = svg_of(chart);
    CHECK(is_xml(svg));
    CHECK(svg == svg_of(chart));
    CHECK_THAT(svg, Catch::StartsWith("<svg role=\"img\" aria-labelledby=\"title description\"") &&
                        Catch::Contains("<title id=\"title\">" + xml_escaped(chart.title) + "</title>") &&
                        Catch::Contains("<desc id=\"description\">" + xml_escaped(chart.summary) + "</desc>"));
    for (const char* name : {"series 0a'b", "series 1a'b"}) CHECK_THAT(svg, Catch::Contains(name));
  }
}

TEST_CASE("gnuplot has nothing to complain about, also where there is nothing to draw") {
  for (const ChartKind kind : every_kind)
    for (const char* variant : {"whole", "no series", "nothing", "no values"}) {
      Chart chart = chart_of(kind);
      if (variant == std::string("no series")) chart.series.clear();
      if (variant == std::string("nothing")) chart = Chart{"c", "", "", kind, {}, {}, {}, {}, {}};
      if (variant == std::string("no values"))
        for (Series& series : chart.series) series.y.assign(3, NAN);
      INFO(variant);
      const ProgramAnswer answer = drawn(drawing_of(chart).script);
      CHECK(answer.error == "");
      CHECK(answer.exit_code == 0);
    }
}

TEST_CASE("text is quoted so that nothing in it is special") {
  CHECK(quoted("it's \"x\"\n") == "'it''s \"x\" '");
  CHECK(quoted_tick("5 %") == "'5 %%'");
}

TEST_CASE(
    "a line is drawn in the order of x, a band over the pieces that it has, with gaps where values are missing") {
  Chart chart = chart_of(ChartKind::lines);
  chart.series.resize(1);
  chart.series[0] = {
      "s", {4, 1, 3, 2, 5, -1}, {40, 10, NAN, 0, 50, 7}, {39, 9, NAN, 19, 49, 7}, {41, 11, NAN, 21, 51, 7}, {}};
  const std::string script = drawing_of(chart).script;
  CHECK(has_line(script, "$line_0 << END\n1 10\n2 NaN\n3 NaN\n4 40\n5 50\nEND"));
  CHECK(has_line(script, "$band_0_0 << END\n1 9 11\n2 19 21\nEND"));
  CHECK(has_line(script, "$band_0_1 << END\n4 39 41\n5 49 51\nEND"));
  CHECK(has_line(script, "set logscale x 10"));
}

TEST_CASE("ticks of logarithmic axes are plain numbers") {
  Chart chart = chart_of(ChartKind::lines);
  chart.series.resize(1);
  chart.series[0] = {"s", {0.00001, 1'000'000}, {0.001, 0.001}, {}, {}, {}};
  CHECK_THAT(drawing_of(chart).script, Catch::Contains("'0.0001' 0.0001") && Catch::Contains("'1000000' 1000000"));
}

TEST_CASE("points of one place share a label, and many points have none") {
  Chart chart = chart_of(ChartKind::points);
  chart.series.resize(1);
  chart.series[0] = {"s", {1, 1, 2}, {1, 1, 2}, {}, {}, {"one", "two", "far"}};
  CHECK_THAT(drawing_of(chart).script,
             Catch::Contains("set label 'one, two' at graph") && Catch::Contains("set label 'far' at graph"));
  for (int i = 0; i < 40; ++i) {
    chart.series[0].x.push_back(10 + i);
    chart.series[0].y.push_back(10 + i);
    chart.series[0].labels.emplace_back("more");
  }
  CHECK_THAT(drawing_of(chart).script, !Catch::Contains("far"));
}

TEST_CASE("a diagonal makes both axes alike and shows its band") {
  Chart chart = chart_of(ChartKind::points);
  chart.diagonal = 0.1;
  chart.series.resize(1);
  chart.series[0] = {"s", {1, 2}, {10, 50}, {}, {}, {}};
  const std::string script = drawing_of(chart).script;
  const auto range_of = [&](const std::string& axis) {
    const std::size_t at = script.find("set " + axis + "range ");
    return script.substr(at + 11, script.find('\n', at) - at - 11);
  };
  CHECK(range_of("x") == range_of("y"));
  CHECK_THAT(script, Catch::Contains("'within 10 %'") && Catch::Contains("$diagonal using 1:2:4 with filledcurves"));
}

TEST_CASE("stacked bars begin where the one before ends, and carry their total") {
  Chart chart = chart_of(ChartKind::stacked_bars);
  chart.categories = {"a"};
  chart.series = {{"s", {}, {2}, {}, {}, {}}, {"none", {}, {NAN}, {}, {}, {}}, {"t", {}, {3}, {}, {}, {}}};
  const std::string script = drawing_of(chart).script;
  CHECK(has_line(script, "$part_0 << END\n0 0 0 2 -0.36 0.36\nEND"));
  CHECK(has_line(script, "$part_2 << END\n2 0 2 5 -0.36 0.36\nEND"));
  CHECK_THAT(script, Catch::Contains("set label '5' at 5,0"));
}

TEST_CASE("cells of a matrix show their values; what is missing is empty") {
  Chart chart = chart_of(ChartKind::matrix);
  chart.categories = {"to a", "to b"};
  chart.series = {{"from a", {}, {NAN, 0.25}, {}, {}, {}}, {"from b", {}, {1234.5, 1}, {}, {}, {}}};
  const std::string script = drawing_of(chart).script;
  CHECK(has_line(script, "$cells << END\n1 0 0.25\n0 1 1234.5\n1 1 1\nNaN NaN NaN\nEND"));
  CHECK_THAT(script, Catch::Contains("set label '1230' at 0,1") && Catch::Contains("set label '-' at 0,0") &&
                         Catch::Contains("set logscale cb 10"));
}

TEST_CASE("without gnuplot there is one line that says what to install") {
  const Scratch empty;
  const Environment path("PATH", empty.folder());
  CHECK_THROWS_WITH(svg_of(chart_of(ChartKind::lines)),
                    Catch::Contains("'gnuplot' is not installed") && Catch::Contains("apt-get install gnuplot-nox"));
}
