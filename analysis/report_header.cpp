#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/comparison.hpp"
#include "analysis/link_use.hpp"
#include "analysis/report_parts.hpp"
#include "sim/base/xml_text.hpp"

namespace longhaul {
namespace {

std::string plural(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string figure(const std::string& value, const std::string& unit, const std::string& name,
                   const std::string& note = "") {
  return fmt::format("<div><dd>{}{}</dd><dt>{}</dt>{}</div>\n", value,
                     unit.empty() ? "" : " <small>" + unit + "</small>", name,
                     note.empty() ? "" : "<span class=\"note\">" + xml_escaped(note) + "</span>");
}

std::string numbers_of(const RunRecord& record, const std::string& first) {
  const Metrics& metrics = *record.metrics;
  const LargestPart largest = largest_part(metrics.breakdown);
  const std::string recorded = record.recorded ? fmt::format("recorded: {:.2f} s ({:+.1f} %)", record.recorded->value,
                                                             100 * (metrics.iteration / *record.recorded - 1))
                                               : "";
  return "<dl class=\"numbers\">\n" + figure(fmt::format("{:.2f}", metrics.iteration.value), "s", first, recorded) +
         figure(fmt::format("{:.3g}", metrics.throughput.value / 1e15), "PFLOPS", "throughput") +
         figure(fmt::format("{:.3g}", metrics.samples_per_second), "/s", "sequences trained") +
         figure(fmt::format("{:.0f}", 100 * (metrics.breakdown.compute / metrics.iteration)), "%",
                "of the time a GPU computes") +
         figure(fmt::format("{:.0f}", 100 * (largest.seconds / metrics.iteration)), "%",
                "largest part: " + largest.name) +
         "</dl>\n";
}

std::string subtitle_of(const ResultFolder& results) {
  if (!results.run) return "";
  const PlatformView& platform = results.run->platform;
  const Plan& plan = results.run->record.plan;
  std::string text = fmt::format("{} in {} · plan by {} · ", plural(platform.size(), "GPU"),
                                 plural(region_names(platform).size(), "region"), results.run->record.scheduler);
  text += plan.pipelines.empty() ? fmt::format("pipeline {} × data {}", plan.degrees.pipeline, plan.degrees.data)
                                 : fmt::format("{} replicas that differ", plan.degrees.data);
  if (plan.pipelines.empty() && plan.degrees.tensor > 1) text += fmt::format(" × tensor {}", plan.degrees.tensor);
  if (plan.degrees.context > 1) text += fmt::format(" × context {}", plan.degrees.context);
  return text + fmt::format(" · {} · {}", plan.schedule, plan.gradient_sync);
}

// "seoul->london" as people write it, escaped.
std::string written(const std::string& link, const std::map<std::string, Place>& places) {
  const std::size_t at = link.find("->");
  if (at == std::string::npos) return link == "inside_machines" ? "inside machines" : xml_escaped(link);
  const std::string from = label_of(link.substr(0, at), places);
  const std::string to = label_of(link.substr(at + 2), places);
  return xml_escaped(from == to ? "inside " + from : from + " → " + to);
}

// The answer in a sentence or two.
std::string limit_html(const ExplanationFile& file, const std::map<std::string, Place>& places) {
  const std::string scenario = xml_escaped(file.scenario);
  const std::string gain =
      fmt::format("would make an iteration {:.2f} s shorter ({:.0f} % of {:.2f} s)", file.limiting_gain.value,
                  100 * (file.limiting_gain / file.iteration), file.iteration.value);
  switch (file.limit) {
    case Limit::link:
      return fmt::format("<strong>The link {} limits {}.</strong> Twice its bandwidth {}.",
                         written(file.limiting, places), scenario, gain);
    case Limit::cards:
      return fmt::format("<strong>The machines’ network cards limit {}.</strong> Twice their bandwidth {}.", scenario,
                         gain);
    case Limit::computing:
      return fmt::format("<strong>Computing limits {}.</strong> {} twice as fast {}.", scenario,
                         xml_escaped(file.limiting), gain);
    case Limit::nothing:
      return fmt::format(
          "<strong>Nothing alone limits {}:</strong> twice the speed of any one link or device type gains "
          "nothing.",
          scenario);
    case Limit::unknown:
      break;
  }
  const auto longest = std::max_element(file.links.begin(), file.links.end(),
                                        [](const auto& a, const auto& b) { return a.on_path < b.on_path; });
  const std::string unknown =
      " What a faster one would gain is not known, because links of a platform given as a SimGrid file cannot be "
      "changed: "
      "explain the scenario that the run was made of.";
  if (longest == file.links.end()) return "No link is on the critical path." + unknown;
  return fmt::format("<strong>{:.0f} % of the critical path of {} is on the link {}.</strong>{}",
                     100 * (longest->on_path / file.iteration), scenario, written(longest->name, places), unknown);
}

// `iteration` is that of the run, if there is one.
std::string explained(const ExplanationFile& file, std::optional<Seconds> iteration,
                      const std::map<std::string, Place>& places) {
  std::string text = "<p class=\"first\">" + limit_html(file, places) + "</p>\n";
  text += "<p>";
  if (!file.phase.empty())
    text += fmt::format("The largest part of its critical path, {:.2f} s, is {}.", file.phase_seconds.value,
                        xml_escaped(file.phase));
  if (!file.next_fixed.empty() && !file.next_link.empty())
    text += fmt::format(
        " With {} twice as fast an iteration takes {:.2f} s, and the link with the largest part of that path is {}.",
        written(file.next_fixed, places), file.next_iteration.value, written(file.next_link, places));
  text += fmt::format(
      "</p>\n<div class=\"scroll\"><table>\n<caption>{} (plan by {}, which stays as it is)"
      "</caption>\n<thead><tr><th scope=\"col\">link</th><th scope=\"col\">gain "
      "(s)</th><th scope=\"col\">of the iteration</th><th scope=\"col\">on the critical path "
      "(s)</th></tr></thead>\n<tbody>\n",
      file.limit == Limit::unknown ? "Links on the critical path" : "Links by what twice their bandwidth gains",
      xml_escaped(file.scheduler));
  const std::size_t shown = std::min<std::size_t>(file.links.size(), 6);
  for (std::size_t i = 0; i < shown; ++i) {
    const ExplainedLink& link = file.links[i];
    const std::string gain = link.gain ? fmt::format("{:.2f}{}", link.gain->value, link.simulated ? "" : " *") : "–";
    const std::string share = link.gain ? fmt::format("{:.1f} %", 100 * (*link.gain / file.iteration)) : "–";
    text += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{:.2f}</td></tr>\n",
                        written(link.name, places), gain, share, link.on_path.value);
  }
  text += "</tbody></table></div>\n";
  if (iteration && std::abs(*iteration / file.iteration - 1) > 1e-6)
    text += fmt::format(
        "<p class=\"soft\">What was explained takes {:.2f} s: another plan or setting than the run above.</p>\n",
        file.iteration.value);
  const bool predicted = std::any_of(file.links.begin(), file.links.begin() + static_cast<std::ptrdiff_t>(shown),
                                     [](const ExplainedLink& link) { return link.gain && !link.simulated; });
  if (predicted)
    text += "<p class=\"soft\">* predicted from the critical path; the others were simulated again.</p>\n";
  return text;
}

// Without an explanation: what the timeline shows.
std::string derived(const RunResult& run, const std::map<std::string, Place>& places) {
  const LargestPart largest = largest_part(run.record.metrics->breakdown);
  std::vector<LinkUse> uses;
  for (const LinkUse& use : link_uses(run))
    if (use.link.from != use.link.to && use.bytes.value > 0) uses.push_back(use);
  std::stable_sort(uses.begin(), uses.end(),
                   [](const LinkUse& a, const LinkUse& b) { return a.utilisation > b.utilisation; });
  std::string text = fmt::format("<p class=\"first\">The largest part of an iteration, {:.0f} %, is {}. ",
                                 100 * (largest.seconds / run.record.metrics->iteration), largest.name);
  const std::vector<std::string> regions = region_names(run.platform);
  const auto name = [&](const LinkUse& use) {
    return written(regions[use.link.from] + "->" + regions[use.link.to], places);
  };
  if (uses.empty()) return text + "Nothing passes between regions.</p>\n";
  text +=
      fmt::format("<strong>The busiest link between regions is {}</strong>: {:.2f} GB use {:.0f} % of its capacity",
                  name(uses[0]), uses[0].bytes.value / 1e9, 100 * uses[0].utilisation);
  for (std::size_t i = 1; i < std::min<std::size_t>(uses.size(), 3); ++i)
    text += fmt::format("{} {} uses {:.0f} %", i == 1 ? "; " : ",", name(uses[i]), 100 * uses[i].utilisation);
  return text +
         ".</p>\n<p>A busy link need not be the one that limits: <code>longhaul explain SCENARIO --out "
         "DIR</code> simulates what a faster one would gain and adds it here.</p>\n";
}

}  // namespace

std::string title_of(const ResultFolder& results) {
  if (results.run) return results.run->record.scenario;
  if (!results.comparison.empty()) return results.comparison.front().scenario;
  if (!results.studies.empty()) return results.studies.front().name;
  return results.explanation ? results.explanation->scenario : "results";
}

std::string header_html(const ResultFolder& results, const std::map<std::string, Place>& places,
                        const std::string& navigation) {
  std::string html = "<header>\n<h1>" + xml_escaped(title_of(results)) + "</h1>\n";
  const std::string description = results.run               ? results.run->description
                                  : results.studies.empty() ? ""
                                                            : results.studies.front().description;
  if (!description.empty()) html += "<p class=\"subtitle\">" + xml_escaped(description) + "</p>\n";
  if (results.run) html += "<p class=\"soft\">" + xml_escaped(subtitle_of(results)) + "</p>\n";
  if (results.run) {
    html += numbers_of(results.run->record, "one training iteration, simulated");
  } else if (!results.comparison.empty()) {
    const auto fastest = std::min_element(
        results.comparison.begin(), results.comparison.end(),
        [](const RunRecord& a, const RunRecord& b) { return a.metrics->iteration < b.metrics->iteration; });
    html += numbers_of(*fastest,
                       "one iteration, simulated, with the fastest plan (" + xml_escaped(fastest->scheduler) + ")");
  }
  if (results.explanation || results.run)
    html +=
        "<section class=\"answer\" id=\"answer\" aria-labelledby=\"answer-heading\">\n<h2 id=\"answer-heading\">What "
        "limits it</h2>\n" +
        (results.explanation
             ? explained(*results.explanation, results.run ? std::optional(results.run->timeline.end) : std::nullopt,
                         places)
             : derived(*results.run, places)) +
        "</section>\n";
  return html + "<nav aria-label=\"Contents\"><ul>\n" + navigation + "</ul></nav>\n</header>\n";
}

}  // namespace longhaul
