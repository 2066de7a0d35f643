// The command `report` as a user runs it, and its page in a real browser.
#include <algorithm>
#include <filesystem>
#include <functional>

#include <catch2/catch.hpp>

#include "analysis/report_assets.hpp"
#include "tests/support/results.hpp"

using namespace longhaul;
using Catch::Contains;

namespace {

bool can_report() {
  const bool complete = !report_assets().charting_library.empty() && !report_assets().coastlines.empty();
  if (!complete) WARN("skipped: this build has no charting library (it was configured without network)");
  return complete;
}

bool has_browser() {
  const bool found = std::system("command -v chromium >/dev/null 2>&1") == 0;
  if (!found) WARN("skipped: chromium is not installed (scripts/install_browser.sh)");
  return found;
}

struct Opened {
  std::string page;     // as the scripts left it
  std::string console;  // what scripts and their errors said
};

Opened opened_in_browser(const std::string& file) {
  const Scratch scratch;
  const std::string command =
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync --user-data-dir='" +
      scratch.path("profile") +
      "' --enable-logging=stderr --v=0 --window-size=1200,900 --virtual-time-budget=3000 --dump-dom 'file://" + file +
      "' >'" + scratch.path("dom") + "' 2>'" + scratch.path("console") + "' </dev/null";
  CHECK(std::system(command.c_str()) == 0);
  Opened opened{file_text(scratch.path("dom")), ""};
  std::ifstream log(scratch.path("console"));
  for (std::string line; std::getline(log, line);)
    if (line.find("CONSOLE") != std::string::npos) opened.console += line + "\n";
  return opened;
}

// What follows `name="` in the page.
std::string attribute(const std::string& page, const std::string& name) {
  const std::string start = name + "=\"";
  const std::size_t from = page.find(start);
  return from == std::string::npos
             ? ""
             : page.substr(from + start.size(), page.find('"', from + start.size()) - from - start.size());
}

void check_mistake(const std::string& arguments, const std::string& message) {
  const Answer answer = longhaul_program(arguments);
  INFO(arguments << "\n" << answer.error);
  CHECK(answer.exit_code == 2);
  CHECK(answer.out.empty());
  CHECK_THAT(answer.error, Contains(message) && Contains("; accepted: "));
  CHECK(std::count(answer.error.begin(), answer.error.end(), '\n') == 1);
}

}  // namespace

TEST_CASE("compare --out writes what --json prints, whatever is printed") {
  const Scratch scratch;
  const Answer answer =
      longhaul_program("compare two_sites_smoke --schedulers identity,random --out " + scratch.path("new"));
  CHECK(answer.exit_code == 0);
  CHECK_THAT(answer.out, Contains("largest part"));
  CHECK(file_text(scratch.path("new/comparison.json")) ==
        longhaul_program("compare two_sites_smoke --schedulers identity,random --json").out);
}

TEST_CASE("mistakes in a folder of results") {
  if (!can_report()) return;
  const Scratch scratch;
  const std::string folder = scratch.path("r");
  check_mistake("report " + folder, "there is no such folder");
  std::filesystem::create_directory(folder);
  check_mistake("report " + folder, "no results are in this folder");
  check_mistake("report " + scratch.write("file", ""), "this is no folder");
  fill_with_results(folder);
  check_mistake("report " + folder + " --out /proc/x.html", "cannot write the file");
  struct Damage {
    const char* file;
    std::function<std::string(const std::string&)> change;
    const char* message;
  };
  const std::vector<Damage> damages{
      {"metrics.json", [](const std::string& text) { return text.substr(0, text.size() / 2); }, "metrics.json:"},
      {"metrics.json", [](const std::string& text) { return with(text, "iteration_seconds", "seconds"); },
       "key 'iteration_seconds' is missing"},
      {"metrics.json", [](const std::string&) { return std::string(); }, "metrics.json:1:1: the file is empty"},
      {"timeline.csv", [](const std::string& text) { return text.substr(0, text.size() - 5); },
       "the line is cut off"},
      {"timeline.csv",
       [](const std::string& text) {
         return text.substr(0, text.size() / 2).substr(0, text.rfind('\n', text.size() / 2) + 1);
       },
       "metrics.json says"},
      {"timeline.csv", [](const std::string& text) { return with(text, "start_s", "begin"); },
       "the columns are others"},
      {"platform.xml", [](const std::string& text) { return text.substr(0, text.size() / 2); }, "platform.xml"},
      {"comparison.json", [](const std::string&) { return std::string("[]"); }, "no records"},
      {"comparison.json", [](const std::string& text) { return text.substr(0, text.size() / 2); },
       "comparison.json:"},
      {"results.json", [](const std::string&) { return std::string("{\"study\": {}}"); }, "results.json:1"},
      {"explanation.json", [](const std::string&) { return std::string("{}"); }, "explanation.json:1"},
  };
  for (const Damage& damage : damages) {
    const std::string path = folder + "/" + damage.file;
    const bool was_there = std::filesystem::exists(path);
    const std::string text = file_text(path);
    scratch.write(std::string("r/") + damage.file, damage.change(text));
    check_mistake("report " + folder, damage.message);
    if (was_there)
      scratch.write(std::string("r/") + damage.file, text);
    else
      std::filesystem::remove(path);
  }
  CHECK_FALSE(std::filesystem::exists(folder + "/report.html"));
  std::filesystem::remove(folder + "/scenario.yaml");
  check_mistake("report " + folder, "scenario.yaml is missing");
}

TEST_CASE("a report opens in a browser without errors, and everything is drawn") {
  if (!can_report() || !has_browser()) return;
  const Scratch scratch;
  fill_with_results(scratch.folder());
  scratch.write("results.json", study_json());
  scratch.write("explanation.json", explanation_json());
  const Answer answer = longhaul_program("report " + scratch.folder());
  INFO(answer.error);
  REQUIRE(answer.out == scratch.path("report.html") + "\n");
  const Opened opened = opened_in_browser(scratch.path("report.html"));
  CHECK(opened.console.empty());
  CHECK(attribute(opened.page, "data-ready") == "true");
  for (const char* chart : {"breakdown", "cost", "wide_area_iteration_seconds"}) {
    INFO(chart);
    const std::size_t at = opened.page.find("data-chart=\"" + std::string(chart) + "\"");
    REQUIRE(at != std::string::npos);
    CHECK(opened.page.find("<svg", at) < opened.page.find("</figure>", at));
  }
  const std::size_t map = opened.page.find("class=\"stage\"");
  CHECK(opened.page.find("<circle class=\"city\"", map) < opened.page.find("</figure>", map));
  CHECK(lacking(opened.page, {"class=\"link\"", "<canvas tabindex=\"0\""}).empty());
}

TEST_CASE("keys walk through links and zoom to a single tasklet; nothing is wider than the window") {
  if (!can_report() || !has_browser()) return;
  const Scratch scratch;
  fill_with_results(scratch.folder());
  REQUIRE(longhaul_program("report " + scratch.folder()).exit_code == 0);
  const std::string keys = R"(<script>
    const press = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
    const canvas = document.querySelector(".timeline canvas");
    for (const key of ["n", "n", "Enter", "+", "-", "ArrowLeft", "ArrowRight", "h", "ArrowDown", "ArrowUp", "l"]) press(canvas, key);
    press(document.querySelector(".map svg"), "ArrowRight");
    const said = [...document.querySelectorAll(".note-line")].map((line) => line.textContent);
    const size = [document.documentElement.scrollWidth, innerWidth];
    parent.postMessage({ said, size }, "*");
  </script>)";
  scratch.write("keys.html", file_text(scratch.path("report.html")) + keys);
  const auto seen_at = [&](const std::string& width) {
    const Opened opened = opened_in_browser(scratch.write(
        "frame.html", "<iframe src='keys.html' style='border:0;height:900px;width:" + width +
                          "px'></iframe><script>" +
                          "onmessage = ({ data }) => { document.body.dataset.said = data.said.join(' | ');" +
                          "document.body.dataset.fits = data.size[0] <= data.size[1]; };</script>"));
    CHECK(opened.console.empty());
    CHECK(attribute(opened.page, "data-fits") == "true");
    return attribute(opened.page, "data-said");
  };
  CHECK(lacking(seen_at("1200"), {"Gbps, ", "% of its capacity", " | ", "tasklet "}).empty());
  CHECK(lacking(seen_at("390"), {"tasklet "}).empty());
}

TEST_CASE("the report of the eight cities is below 5 MB and opens in a browser in under 2 s") {
  if (!can_report()) return;
  const Scratch scratch;
  REQUIRE(longhaul_program("run eight_cities --scheduler identity --out " + scratch.folder()).exit_code == 0);
  REQUIRE(longhaul_program("report " + scratch.folder()).exit_code == 0);
  CHECK(std::filesystem::file_size(scratch.path("report.html")) < 5'000'000);
  if (!has_browser()) return;
  const Opened opened = opened_in_browser(scratch.path("report.html"));
  CHECK(opened.console.empty());
  CHECK(attribute(opened.page, "data-ready") == "true");
  CHECK(lacking(opened.page, {"class=\"land\""}).empty());
  const std::string milliseconds = attribute(opened.page, "data-loaded");
  INFO("opened in " << milliseconds << " ms");
  CHECK_NOFAIL(std::stod(milliseconds) < 2000);  // told, but a busy machine is nobody's mistake
}
