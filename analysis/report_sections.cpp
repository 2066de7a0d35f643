#include <algorithm>

#include <fmt/format.h>

#include "analysis/link_use.hpp"
#include "analysis/report_parts.hpp"
#include "analysis/report_timeline.hpp"
#include "analysis/result_charts.hpp"
#include "sim/base/xml_text.hpp"

namespace longhaul {
namespace {

constexpr std::size_t shown_links = 10;

// Line by line, because xml_escaped makes blanks of line breaks.
std::string preformatted(const std::string& text) {
  std::string html;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    html += xml_escaped(text.substr(from, end - from)) + "\n";
    from = end + 1;
  }
  return html;
}

const Chart* chart_with(const std::vector<Chart>& charts, const std::string& id) {
  const auto found = std::find_if(charts.begin(), charts.end(), [&](const Chart& chart) { return chart.id == id; });
  return found == charts.end() ? nullptr : &*found;
}

Section map_section(const RunResult& run, const std::map<std::string, Place>& places) {
  const bool on_earth = located(run.platform, places);
  Section section{"map", "The links", ""};
  section.body =
      "<p class=\"lead\">How much of each link’s capacity the iteration used: bytes of the device that sent most "
      "over it, "
      "divided by what the link’s bandwidth carries in an iteration.</p>\n<div class=\"map\">\n<div class=\"tools\">";
  if (on_earth)
    section.body +=
        "<button type=\"button\" data-layout=\"earth\" aria-pressed=\"true\">On the map</button><button "
        "type=\"button\" data-layout=\"circle\" aria-pressed=\"false\">On a circle</button>";
  else
    section.body +=
        "<span class=\"soft\">On a circle, because platforms/measurements/places.yaml does not say where some "
        "of these regions lie.</span>";
  section.body +=
      "</div>\n<figure>\n<div class=\"stage\"></div>\n<ul class=\"legend\"><li>use of the link: least<i "
      "class=\"scale\"></i>"
      "most</li><li>dotted: unused</li></ul>\n<p class=\"note-line\" aria-live=\"polite\">Point at a link, or go "
      "through them "
      "with the arrow keys.</p>\n</figure>\n</div>\n";
  section.body += links_html(run, places, shown_links);
  return section;
}

Section breakdown_section(const ResultFolder& results, const Chart& chart) {
  Section section{"breakdown", "Where the time goes", "<p class=\"lead\">The five parts add up to the iteration."};
  if (!results.comparison.empty())
    section.body += fmt::format(" Schedulers on {}, seed {}.", xml_escaped(results.comparison.front().scenario),
                                results.comparison.front().seed);
  section.body += "</p>\n" + figure_html(chart);
  return section;
}

std::string key(const char* name, const char* meaning) { return fmt::format("<kbd>{}</kbd> {} ", name, meaning); }

Section timeline_section(const RunResult& run) {
  const ReportTimeline timeline = report_timeline(run, most_report_spans);
  Section section{"timeline", "The iteration, device by device", ""};
  section.body = fmt::format(
      "<p class=\"lead\">Each device has three lanes: computing (upper half), sending, receiving. {}{}</p>\n",
      timeline.all > timeline.tasklet.size()
          ? fmt::format("Shown are the {} longest of {} spans.", timeline.tasklet.size(), timeline.all)
          : fmt::format("All {} spans are here.", timeline.all),
      " Barrier messages are left out.");
  std::string legend;
  for (std::size_t i = 0; i < span_kinds().size(); ++i) {
    const SpanKind& kind = span_kinds()[i];
    const auto number = static_cast<std::uint32_t>(i);
    if (std::find(timeline.kind.begin(), timeline.kind.end(), number) == timeline.kind.end()) continue;
    legend += fmt::format("<li><i style=\"background:var(--{})\"></i>{}</li>", kind.paint, kind.label);
  }
  section.body +=
      "<figure class=\"timeline\">\n<div class=\"tools\"><button type=\"button\" data-do=\"in\">Zoom "
      "in</button><button "
      "type=\"button\" data-do=\"out\">Zoom out</button><button type=\"button\" data-do=\"higher\">Taller "
      "rows</button><button "
      "type=\"button\" data-do=\"lower\">Flatter rows</button><button type=\"button\" data-do=\"all\">Whole "
      "iteration</button>"
      "<label>Order <select><option value=\"place\">by place</option><option value=\"rank\">by "
      "pipeline</option></select>"
      "</label></div>\n<ul class=\"legend\">" +
      legend +
      "</ul>\n<canvas tabindex=\"0\" role=\"application\" aria-roledescription=\"timeline\" aria-label=\"Timeline of "
      "all "
      "devices. Arrow keys move, plus and minus zoom, n and p go to the next and previous tasklet of a "
      "lane.\"></canvas>\n"
      "<div class=\"tip\" hidden></div>\n<p class=\"note-line\" aria-live=\"polite\"></p>\n<p class=\"keys\">" +
      key("←", "") + key("→", "") + key("↑", "") + key("↓", "move,") + key("+", "") + key("−", "zoom,") +
      key("n", "") + key("p", "next and previous tasklet,") + key("Enter", "zoom to it,") + key("h", "") +
      key("l", "higher and lower rows,") + key("0", "whole iteration.") +
      "Drag to move, double-click a span to zoom to it; the wheel zooms after a click or with " + key("Ctrl", ".") +
      "</p>\n</figure>\n";
  return section;
}

Section matrices_section(const std::vector<Chart>& charts) {
  Section section{"network", "The network", "<div class=\"two\">\n"};
  for (const char* id : {"bandwidth", "latency"})
    if (const Chart* chart = chart_with(charts, id))
      section.body += fmt::format("<div><h3>{}</h3>\n{}</div>\n", xml_escaped(chart->title), figure_html(*chart));
  section.body += "</div>\n";
  return section;
}

// Which of a study's charts is the one that it wants drawn; metrics without a point have none.
std::size_t shown_first(const SweptStudy& study) {
  std::size_t chart = 0;
  for (const SweptMetric& metric : study.metrics) {
    if (metric.points.empty()) continue;
    if (study.figure && study.figure->y == metric.name) return chart;
    ++chart;
  }
  return 0;
}

Section study_section(const SweptStudy& study, const std::vector<Chart>& charts, std::size_t number) {
  Section section{fmt::format("study-{}", number), "Study: " + study.name, ""};
  if (!study.description.empty()) section.body += "<p class=\"lead\">" + xml_escaped(study.description) + "</p>\n";
  const auto with_heading = [&](const Chart& chart) {
    const bool repeats = chart.title.rfind(study.name + ": ", 0) == 0;
    return "<h3>" + xml_escaped(repeats ? chart.y.label : chart.title) + "</h3>\n" + figure_html(chart);
  };
  if (charts.empty()) return section;
  const std::size_t first = shown_first(study);
  section.body += with_heading(charts[first]);
  if (charts.size() == 1) return section;
  section.body += fmt::format("<details><summary>{} more metric{} of this study</summary>\n", charts.size() - 1,
                              charts.size() > 2 ? "s" : "");
  for (std::size_t i = 0; i < charts.size(); ++i)
    if (i != first) section.body += with_heading(charts[i]);
  section.body += "</details>\n";
  return section;
}

// Shell words; what is not plain stands in single quotes.
std::string word(const std::string& text) {
  const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char character : text) quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  return quoted + "'";
}

Section reproduction_section(const ResultFolder& results) {
  Section section{"reproduce", "How to reproduce it",
                  "<p class=\"lead\">DIR is the folder this report was made of.</p>\n"};
  std::string commands;
  if (results.run)
    commands +=
        "# the run: scenario.yaml holds the seed and every default, platform.xml the network\n"
        "longhaul run DIR/scenario.yaml --out DIR\n";
  if (!results.comparison.empty()) {
    std::string schedulers;
    for (const RunRecord& record : results.comparison)
      schedulers += (schedulers.empty() ? "" : ",") + record.scheduler;
    commands += fmt::format(
        "# the schedulers; with the --set options and rank maps that were given then\n"
        "longhaul compare {} --schedulers {} --seed {} --out DIR\n",
        word(results.comparison.front().scenario), word(schedulers), results.comparison.front().seed);
  }
  for (const SweptStudy& study : results.studies)
    commands += fmt::format("longhaul sweep {} --out {}\n", word(study.name), word("DIR/" + study.name));
  if (results.explanation)
    commands += fmt::format("longhaul explain {} --scheduler {} --out DIR\n", word(results.explanation->scenario),
                            word(results.explanation->scheduler));
  section.body +=
      "<pre class=\"wrap\">" + preformatted(commands + "longhaul report DIR --out report.html\n") + "</pre>\n";
  if (results.run)
    section.body += "<details><summary>The resolved scenario</summary><pre class=\"wrap\">" +
                    preformatted(results.run->scenario_yaml) + "</pre></details>\n";
  return section;
}

// They stand behind all others.
std::size_t charts_of_studies(const ResultFolder& results) {
  std::size_t count = 0;
  for (const SweptStudy& study : results.studies) count += swept_study_charts(study).size();
  return count;
}

std::string missing_html(const ResultFolder& results) {
  std::string items;
  const auto add = [&](const char* what, const char* command) {
    items += fmt::format("<li>{}: <code>{}</code></li>\n", what, command);
  };
  if (!results.run) add("map of the links, timeline, network and scenario", "longhaul run SCENARIO --out DIR");
  if (results.comparison.empty())
    add("schedulers side by side, cost model against simulation",
        "longhaul compare SCENARIO --schedulers random,megatron,dtfm --out DIR");
  if (results.studies.empty())
    add("throughput over bandwidth, delay, batch, …", "longhaul sweep STUDY --out DIR/STUDY");
  if (!results.explanation) add("what a faster link would gain", "longhaul explain SCENARIO --out DIR");
  if (items.empty()) return "";
  return "<aside class=\"missing\" aria-label=\"Not in this report\"><p>Not in this report, and the command that "
         "adds "
         "it:</p>\n<ul>\n" +
         items + "</ul></aside>\n";
}

}  // namespace

std::string links_html(const RunResult& run, const std::map<std::string, Place>& places, std::size_t count) {
  const std::vector<std::string> regions = region_names(run.platform);
  std::vector<LinkUse> uses;
  for (const LinkUse& use : link_uses(run))
    if (use.link.from != use.link.to && use.bytes.value > 0) uses.push_back(use);
  if (uses.empty()) return "<p>Nothing passes between regions.</p>\n";
  std::stable_sort(uses.begin(), uses.end(),
                   [](const LinkUse& a, const LinkUse& b) { return a.utilisation > b.utilisation; });
  const auto table = [&](std::size_t from, std::size_t to) {
    std::string html =
        "<table class=\"links\">\n<thead><tr><th scope=\"col\">link</th><th scope=\"col\">used</th><th "
        "scope=\"col\" class=\"bar\"><span hidden>bar</span></th><th scope=\"col\">GB</th><th scope=\"col\" "
        "class=\"wide\">busy (s)</th><th scope=\"col\" class=\"wide\">senders</th><th scope=\"col\" "
        "class=\"wide\">Gbps</th><th scope=\"col\" class=\"wide\">delay (ms)</th></tr></thead>\n<tbody>\n";
    for (std::size_t i = from; i < to; ++i) {
      const LinkUse& use = uses[i];
      html += fmt::format(
          "<tr><th scope=\"row\">{} → {}</th><td>{:.0f} %</td><td class=\"bar\"><span class=\"meter\" "
          "style=\"--share:{:.3f}\"></span></td><td>{:.2f}</td><td class=\"wide\">{:.1f}</td><td "
          "class=\"wide\">{}</td><td class=\"wide\">{:.3g}</td><td class=\"wide\">{:.3g}</td></tr>\n",
          xml_escaped(label_of(regions[use.link.from], places)), xml_escaped(label_of(regions[use.link.to], places)),
          100 * use.utilisation, std::min(1.0, use.utilisation / uses.front().utilisation), use.bytes.value / 1e9,
          use.busy.value, use.senders, use.link.bandwidth.value * 8e-9, use.link.latency.value * 1e3);
    }
    return html + "</tbody></table>\n";
  };
  const std::size_t first = std::min(count, uses.size());
  std::string html = "<h3>The most used links</h3>\n" + table(0, first);
  if (first < uses.size())
    html += fmt::format("<details><summary>The other {} links that carried something</summary>\n{}</details>\n",
                        uses.size() - first, table(first, uses.size()));
  return html;
}

std::vector<Section> report_sections(const ResultFolder& results, const std::vector<Chart>& charts,
                                     const std::map<std::string, Place>& places) {
  std::vector<Section> sections;
  if (results.run) sections.push_back(map_section(*results.run, places));
  if (const Chart* chart = chart_with(charts, "breakdown")) sections.push_back(breakdown_section(results, *chart));
  if (results.run) sections.push_back(timeline_section(*results.run));
  if (const Chart* chart = chart_with(charts, "cost"))
    sections.push_back(
        {"cost", "Does the cost model rank plans rightly?",
         "<p class=\"lead\">Each point is a plan. The cost "
         "adds up communication that a pipeline overlaps: it ranks plans and does not predict seconds.</p>\n" +
             figure_html(*chart)});
  auto chart = charts.end() - static_cast<std::ptrdiff_t>(charts_of_studies(results));
  for (std::size_t i = 0; i < results.studies.size(); ++i) {
    const auto end = chart + static_cast<std::ptrdiff_t>(swept_study_charts(results.studies[i]).size());
    sections.push_back(study_section(results.studies[i], {chart, end}, i + 1));
    chart = end;
  }
  if (results.run) sections.push_back(matrices_section(charts));
  sections.push_back(reproduction_section(results));
  sections.back().body += missing_html(results);
  return sections;
}

}  // namespace longhaul
