// The page that a report is: its parts, its safety, its size.
#include <algorithm>
#include <filesystem>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "analysis/report.hpp"
#include "analysis/report_timeline.hpp"
#include "sim/base/error.hpp"
#include "tests/support/results.hpp"

using namespace longhaul;
using Catch::Contains;
using nlohmann::json;

namespace {

// The real page and scripts; the libraries may be missing where there was no network.
ReportAssets assets() {
  ReportAssets built = report_assets();
  built.charting_library = "/* charts */";
  built.coastlines = "{}";
  return built;
}

std::string page_of(const std::string& folder) { return report_html(read_results(folder), read_places(), assets()); }

json data_of(const std::string& page) {
  const std::string start = "id=\"report-data\">";
  const std::size_t from = page.find(start) + start.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

RunResult barriers_and_forwards(std::size_t forwards) {
  RunResult run;
  run.platform = PlatformView("p", {{"a", "", "r", "m", {}, {}}}, std::vector<Path>(1));
  const auto add = [&](TaskletKind kind, double start, double end) {
    Tasklet task;
    task.kind = kind;
    run.tasklets.push_back(task);
    run.timeline.spans.push_back({Seconds(start), Seconds(end), Seconds(end)});
    run.timeline.end = Seconds(end);
  };
  add(TaskletKind::barrier, 1, 1);
  add(TaskletKind::barrier, 3, 3);
  for (std::size_t i = 0; i < forwards; ++i) {
    const double start = 4 + static_cast<double>(i);
    add(TaskletKind::forward, start, start + 0.001 * static_cast<double>(1 + i % 7));
  }
  return run;
}

}  // namespace

TEST_CASE("a run's report has its map, timeline, breakdown, matrices, scenario and commands") {
  const Scratch scratch;
  fill_with_results(scratch.folder());
  const std::string page = page_of(scratch.folder());
  for (const char* id : {"map", "breakdown", "timeline", "cost", "network", "reproduce"})
    CHECK(count(page, "<section id=\"" + std::string(id) + "\"") == 1);
  CHECK(lacking(page, {"<h1>two_sites_smoke</h1>", "The busiest link between regions is",
                       "longhaul run DIR/scenario.yaml --out DIR",
                       "longhaul compare two_sites_smoke --schedulers identity,random",
                       "gradient_sync: ring_all_reduce", "id=\"table-bandwidth\""})
            .empty());
  CHECK(lacking(page, {"longhaul sweep STUDY", "longhaul explain SCENARIO"}).empty());  // what is missing
  CHECK(count(page, "<main") == 1);
  CHECK(count(page, "{{") == 0);
  const json data = data_of(page);
  CHECK(data["map"]["located"] == false);  // nobody says where north and south are
  CHECK(lacking(page, {"On a circle, because"}).empty());
  CHECK(data["timeline"]["columns"]["start"].size() > 20);
  CHECK(data["charts"].size() == 2);
}

TEST_CASE("every chart has a text alternative and a table of its values") {
  const Scratch scratch;
  fill_with_results(scratch.folder());
  scratch.write("results.json", study_json());
  const std::string page = page_of(scratch.folder());
  CHECK(count(page, "class=\"chart\"") == 3);
  CHECK(count(page, "role=\"img\" aria-label=\"") == 3);
  CHECK(count(page, "The values as a table") == 3);
  CHECK(lacking(page, {"<td>0.1</td><td>200</td><td>180</td><td>220</td>"}).empty());
}

TEST_CASE("a report of a comparison alone, of a study alone") {
  const Scratch scratch;
  longhaul_program("compare two_sites_smoke --schedulers identity,random --out " + scratch.path("c"));
  const std::string compared = page_of(scratch.path("c"));
  CHECK(count(compared, "<section id=\"breakdown\"") == 1);
  CHECK(count(compared, "<section id=\"map\"") == 0);
  CHECK(lacking(compared, {"longhaul run SCENARIO --out DIR"}).empty());
  std::filesystem::create_directories(scratch.path("s"));
  scratch.write("s/results.json", study_json());
  const std::string swept = page_of(scratch.path("s"));
  CHECK(lacking(swept, {"<h1>wide_area</h1>", "Study: wide_area"}).empty());
  CHECK(count(swept, "<section id=\"breakdown\"") == 0);
}

TEST_CASE("an explanation says first which link limits") {
  const Scratch scratch;
  fill_with_results(scratch.folder());
  scratch.write("explanation.json", with(explanation_json(), "\"simulated\":2.0", "\"simulated\":0.5"));
  const std::string page = page_of(scratch.folder());
  const std::size_t answer = page.find("The link north → south limits two_sites_smoke.");
  CHECK(answer < page.find("<nav"));
  CHECK(lacking(page, {"1.25 s shorter", "0.25 *", "another plan or setting"}).empty());
  CHECK(count(page, "longhaul explain SCENARIO") == 0);
}

TEST_CASE("what limits may be computing, the network cards, or not known") {
  const Scratch scratch;
  const std::string link = explanation_json();
  const auto answer_of = [&](const std::string& explanation) {
    scratch.write("explanation.json", explanation);
    const std::string page = page_of(scratch.folder());
    const std::string start = "<p class=\"first\">";
    const std::size_t from = page.find(start) + start.size();
    return page.substr(from, page.find("</p>", from) - from);
  };
  CHECK_THAT(answer_of(link), Contains("Computing limits two_sites_smoke."));
  CHECK_THAT(answer_of(with(link, "\"device_type\",\"name\":\"A100\"", "\"link_class\",\"name\":\"nics\"")),
             Contains("network cards limit"));
  const std::size_t gains = link.find("\"sensitivities\":[") + 17;
  const std::string unchanged = link.substr(0, gains) + link.substr(link.find("],\"next"));
  CHECK_THAT(answer_of(unchanged), Contains("56 % of the critical path") && Contains("is not known"));
}

TEST_CASE("nobody's text becomes HTML or script") {
  const Scratch scratch;
  longhaul_program("run two_sites_smoke --out " + scratch.folder());
  const std::string evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)> {{data}} & \\\" ' ";
  const std::string scenario = file_text(scratch.path("scenario.yaml"));
  scratch.write("scenario.yaml", with(scenario, "description: \"", "description: \"" + evil));
  const std::string metrics = file_text(scratch.path("metrics.json"));
  scratch.write("metrics.json",
                with(with(metrics, "\"two_sites_smoke\"", "\"" + evil + "\""), "\"identity\"", "\"" + evil + "\""));
  scratch.write("results.json",
                with(with(study_json(), "where it matters", evil), "\"wide_area\"", "\"" + evil + "\""));
  const std::string page = page_of(scratch.folder());
  CHECK(count(page, "<script>alert") == 0);
  CHECK(count(page, "<img") == 0);
  CHECK(count(page, "</script>") == 4);  // those of the page itself
  CHECK_NOTHROW(data_of(page));
  CHECK(lacking(page, {"&lt;/script&gt;&lt;script&gt;alert(1)", "{{data}} &amp; &quot;"}).empty());
}

TEST_CASE("the same folder gives the same bytes") {
  const Scratch scratch;
  fill_with_results(scratch.folder());
  CHECK((page_of(scratch.folder()) == page_of(scratch.folder())));
}

TEST_CASE("a barrier is one span from arrival to departure") {
  const ReportTimeline timeline = report_timeline(barriers_and_forwards(1), 100);
  REQUIRE(timeline.start.size() == 2);
  CHECK(timeline.start[0] == 1'000'000);
  CHECK(timeline.length[0] == 2'000'000);
  CHECK(span_kinds()[timeline.kind[0]].kind == TaskletKind::barrier);
}

TEST_CASE("of a long timeline the longest spans stay") {
  const ReportTimeline timeline =
      report_timeline(barriers_and_forwards(700), 201);  // the barrier, 100 each of 7 and 6 ms
  CHECK(timeline.all == 701);
  REQUIRE(timeline.length.size() == 201);
  for (const auto length : timeline.length) CHECK(length >= 6000);
  CHECK(std::is_sorted(timeline.tasklet.begin(), timeline.tasklet.end()));
}

TEST_CASE("a build without the charting library says so") {
  const Scratch scratch;
  scratch.write("results.json", study_json());
  ReportAssets without = assets();
  without.charting_library = "";
  CHECK_THROWS_WITH(report_html(read_results(scratch.folder()), {}, without),
                    Contains("this build makes no reports"));
}
