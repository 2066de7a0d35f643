#include "analysis/study.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/metric.hpp"
#include "analysis/study_axis.hpp"
#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

std::size_t axis_named(const Study& study, const Config& name) {
  std::vector<std::string> names;
  for (const StudyAxis& axis : study.axes) names.push_back(axis.name);
  const std::string chosen = name.choice(names);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), chosen) - names.begin());
}

StudyFigure read_figure(const Config& config, const Study& study) {
  StudyFigure figure;
  figure.title = config.at("title").text();
  const Config x = config.at("x");
  figure.x = axis_named(study, x);
  const StudyAxis& axis = study.axes[figure.x];
  if (axis.samples) throw x.error("an axis of samples", "they are summed up", "another axis");
  if (axis.only_on)
    throw x.error(fmt::format("axis '{}' does not exist everywhere", axis.name), "", "an axis without 'only'");
  figure.y = config.at("y").choice(study.metrics);
  figure.y_label = config.at("y_label").text();
  if (const auto reference = config.find("reference")) figure.reference = value_labelled(axis, *reference);
  return figure;
}

void check_number_of_points(const Study& study, const Config& axes) {
  double points = 1;
  for (const StudyAxis& axis : study.axes) points *= static_cast<double>(axis.values.size());
  if (points > static_cast<double>(most_points))
    throw axes.error(fmt::format("{:.0f} points", points), "the product of the axes",
                     fmt::format("at most {}", most_points));
}

}  // namespace

std::string study_path(const std::string& file_or_name) {
  const bool is_name = file_or_name.find_first_of("/.") == std::string::npos;
  if (!is_name || std::filesystem::is_regular_file(file_or_name)) return file_or_name;
  return data_file("scenarios/studies", file_or_name, ".yaml", {});
}

Study read_study(const std::string& path) {
  const Config config = Config::read_file(path);
  Study study;
  study.file = path;
  study.name = config.at("name").text();
  study.description = config.at("description").text();
  study.scenario = scenario_named(config.at("scenario"), path);
  if (const auto set = config.find("set")) study.overrides = read_overrides(*set);
  const Config axes = config.at("axes");
  for (const Config& item : axes.items()) study.axes.push_back(read_axis(item, study.axes));
  if (study.axes.empty()) throw axes.error("no axes", "", "a list of {name, key, values}");
  check_number_of_points(study, axes);
  const Config metrics = config.at("metrics");
  for (const Config& item : metrics.items()) {
    const std::string metric = item.choice(metric_names());
    if (std::find(study.metrics.begin(), study.metrics.end(), metric) != study.metrics.end())
      throw item.error(fmt::format("metric '{}' appears twice", metric), "", "each metric once");
    study.metrics.push_back(metric);
  }
  if (study.metrics.empty()) throw metrics.error("no metrics", "", "a list such as [iteration_seconds, pflops]");
  if (const auto figure = config.find("figure")) study.figure = read_figure(*figure, study);
  config.reject_unread();
  return study;
}

std::vector<StudyPoint> points_of(const Study& study) {
  std::vector<StudyPoint> points{{}};
  for (const StudyAxis& axis : study.axes) {
    std::vector<StudyPoint> longer;
    for (const StudyPoint& point : points) {
      const auto& only = axis.only_values;
      const bool exists = !axis.only_on || (point[*axis.only_on] &&
                                            std::find(only.begin(), only.end(), *point[*axis.only_on]) != only.end());
      for (std::size_t value = 0; value < (exists ? axis.values.size() : 1); ++value) {
        longer.push_back(point);
        longer.back().push_back(exists ? std::optional(value) : std::nullopt);
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<Override> overrides_at(const Study& study, const StudyPoint& point, HeldAxes held) {
  std::vector<Override> overrides = study.overrides;
  for (std::size_t i = 0; i < study.axes.size(); ++i) {
    const StudyAxis& axis = study.axes[i];
    if (!point[i] || (held == HeldAxes::left_out && axis.planning == Planning::held)) continue;
    const std::vector<Override>& own = axis.values[*point[i]].overrides;
    overrides.insert(overrides.end(), own.begin(), own.end());
  }
  return overrides;
}

bool holds_plan(const Study& study, const StudyPoint& point) {
  for (std::size_t i = 0; i < study.axes.size(); ++i)
    if (point[i] && study.axes[i].planning == Planning::held) return true;
  return false;
}

}  // namespace longhaul
