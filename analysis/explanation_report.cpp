#include "analysis/explanation_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/explanation_tables.hpp"

namespace longhaul {
namespace {

int percent(Seconds part, Seconds whole) { return static_cast<int>(std::lround(100 * (part / whole))); }

std::string speed_of(const Target& target) {
  if (target.kind == TargetKind::device_type) return "the computing speed of " + target.name;
  const std::string words = words_for(target.name);
  if (words == target.name) return "the bandwidth of " + words;
  return target.name == "nics" ? "the bandwidth of the network cards" : "the bandwidth " + words;
}

std::string speed_of(const WhatIf& change) {
  const TargetKind kind = change.what == WhatIf::Of::compute ? TargetKind::device_type : TargetKind::link;
  return speed_of(Target{kind, change.target});
}

// Where the critical path goes.
std::string path_in_words(const Explanation& explanation) {
  const Attribution& path = explanation.path;
  if (path.phases.empty()) return "";
  const Seconds whole = explanation.iteration;
  const PathPart& first = path.phases.front();
  std::string text = fmt::format(" {} % of the critical path is {}, {:.2f} s", percent(first.seconds(), whole),
                                 first.name, first.seconds().value);
  if (!path.phase_link.empty())
    text += fmt::format(", {:.2f} s of it {}{}", path.phase_link_seconds.value,
                        words_for(path.phase_link) == path.phase_link ? "over " : "", words_for(path.phase_link));
  std::string others;
  for (std::size_t i = 1; i < std::min<std::size_t>(3, path.phases.size()); ++i)
    others +=
        fmt::format("{}{} {} %", i == 1 ? "" : ", ", path.phases[i].name, percent(path.phases[i].seconds(), whole));
  return text + (others.empty() ? "." : "; then " + others + ".");
}

std::string help_in_words(const Explanation& explanation) {
  if (!explanation.changeable)
    return " What would help is not computed: the links of a platform given as a SimGrid file cannot be changed by "
           "class.";
  if (!explanation.next) return " No single link or device type would shorten it by being twice as fast.";
  const NextBottleneck& next = *explanation.next;
  const Seconds saved = explanation.iteration - next.iteration;
  std::string text =
      fmt::format(" Doubling {} would save {:.2f} s ({} %), more than any other single link or device type.",
                  speed_of(next.fixed), saved.value, percent(saved, explanation.iteration));
  if (!next.sensitivities.empty() && *next.sensitivities.front().twice.simulated > Seconds()) {
    const Sensitivity& second = next.sensitivities.front();
    text += fmt::format(" Doubling {} next would save another {:.2f} s.", speed_of(second.load.target),
                        second.twice.simulated->value);
  }
  return text;
}

std::string skipped_in_words(const std::vector<std::string>& skipped) {
  if (skipped.empty()) return "";
  std::vector<std::string> words;
  for (const std::string& target : skipped) words.push_back(words_for(target));
  return fmt::format("left out, as twice as fast they would pass 1000 Tbps, the most of a link: {}\n\n",
                     fmt::join(words, ", "));
}

std::string crossovers_in_words(const Crossovers& crossovers, const std::vector<std::string>& plans) {
  const std::string where = crossovers.links == "all" ? "of all links" : "between regions";
  std::string text = fmt::format("best plan over the bandwidth {}, each plan held fixed: ", where);
  const std::string& first = plans[crossovers.grid.front().best];
  if (crossovers.found.empty())
    return text + fmt::format("{} at every factor from {:g} to {:g}.\n", first, crossovers.grid.front().factor,
                              crossovers.grid.back().factor);
  text += first;
  for (const Crossover& one : crossovers.found)
    text += fmt::format(", from {:.3g} times on {}", one.factor, plans[one.above]);
  return text + ".\n";
}

std::string next_in_words(const NextBottleneck& next) {
  const std::vector<PathPart>& phases = next.path.phases;
  return fmt::format("next bottleneck, with {} doubled: an iteration takes {:.2f} s, {} % of it {}\n",
                     speed_of(next.fixed), next.iteration.value,
                     phases.empty() ? 0 : percent(phases.front().seconds(), next.iteration),
                     phases.empty() ? "" : phases.front().name);
}

}  // namespace

std::string report_of(const Explanation& explanation, const std::string& scenario) {
  std::string text =
      fmt::format("{}, plan by {}: an iteration takes {:.2f} s.{}{}\n\n", scenario, explanation.scheduler,
                  explanation.iteration.value, path_in_words(explanation), help_in_words(explanation));
  text += path_tables(explanation) + slack_tables(explanation);
  if (!explanation.changeable) return text;
  text +=
      sensitivity_tables(explanation.sensitivities, explanation.iteration) + skipped_in_words(explanation.skipped);
  if (explanation.next)
    text += next_in_words(*explanation.next) +
            sensitivity_tables(explanation.next->sensitivities, explanation.next->iteration);
  if (explanation.crossovers)
    text += crossovers_in_words(*explanation.crossovers, explanation.plans) +
            crossover_table(*explanation.crossovers, explanation.plans);
  return text;
}

}  // namespace longhaul
