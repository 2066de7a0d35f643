#include "analysis/explanation_file.hpp"

#include <algorithm>
#include <limits>

#include "analysis/record_file.hpp"
#include "sim/description/config.hpp"

namespace longhaul {
namespace {

constexpr double most = std::numeric_limits<double>::max();

Seconds seconds(const Config& value) { return Seconds(value.number(-most, most)); }

bool is_null(const Config& value) {
  return value.is_nothing() || (!value.is_map() && !value.is_list() && value.text() == "null");
}

ExplainedLink& link_named(std::vector<ExplainedLink>& links, const std::string& name) {
  const auto found =
      std::find_if(links.begin(), links.end(), [&](const ExplainedLink& link) { return link.name == name; });
  if (found != links.end()) return *found;
  links.emplace_back();
  links.back().name = name;
  return links.back();
}

// Unions of links (regions, classes other than cards) limit nothing that their links do not limit.
Limit limit_of(const std::string& kind, const std::string& name) {
  if (kind == "link") return Limit::link;
  if (kind == "device_type") return Limit::computing;
  return kind == "link_class" && name == "nics" ? Limit::cards : Limit::nothing;
}

void read_gain(const Config& json, ExplanationFile& file) {
  const std::string name = json.at("name").text();
  const Limit limit = limit_of(json.at("kind").text(), name);
  const Config gain = json.at("twice_gain_seconds");
  const Config simulated = gain.at("simulated");
  const Seconds gained = seconds(is_null(simulated) ? gain.at("predicted") : simulated);
  if (limit != Limit::nothing && gained > file.limiting_gain) {
    file.limit = limit;
    file.limiting = name;
    file.limiting_gain = gained;
  }
  if (limit != Limit::link) return;
  ExplainedLink& link = link_named(file.links, name);
  link.simulated = !is_null(simulated);
  link.gain = gained;
}

}  // namespace

ExplanationFile read_explanation(const std::string& path) {
  const Config json = Config::parse(read_result_text(path), path);
  ExplanationFile file;
  file.scenario = json.at("scenario").text();
  file.scheduler = json.at("scheduler").text();
  file.iteration = seconds(json.at("iteration_seconds"));
  const Config critical = json.at("critical_path");
  const std::vector<Config> phases = critical.at("phases").items();
  if (!phases.empty()) {
    file.phase = phases.front().at("name").text();
    file.phase_seconds = seconds(phases.front().at("seconds"));
  }
  for (const Config& link : critical.at("links").items())
    link_named(file.links, link.at("name").text()).on_path = seconds(link.at("seconds"));
  const std::vector<Config> sensitivities = json.at("sensitivities").items();
  if (!sensitivities.empty()) file.limit = Limit::nothing;
  for (const Config& one : sensitivities) read_gain(one, file);
  std::stable_sort(file.links.begin(), file.links.end(), [](const ExplainedLink& a, const ExplainedLink& b) {
    const Seconds gain_a = a.gain.value_or(Seconds(0));
    const Seconds gain_b = b.gain.value_or(Seconds(0));
    return gain_a != gain_b ? gain_a > gain_b : a.on_path > b.on_path;
  });
  if (const Config next = json.at("next_bottleneck"); !is_null(next)) {
    file.next_fixed = next.at("fixed").text();
    file.next_iteration = seconds(next.at("iteration_seconds"));
    const std::vector<Config> links = next.at("critical_path").at("links").items();
    if (!links.empty()) file.next_link = links.front().at("name").text();
  }
  return file;
}

}  // namespace longhaul
