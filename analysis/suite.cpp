#include "analysis/suite.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/metric.hpp"
#include "analysis/suite_table.hpp"
#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

SuiteGroup group_of(const std::string& name) {
  if (name == "calibrate") return SuiteGroup::calibrate;
  return name == "baseline" ? SuiteGroup::baseline : SuiteGroup::predict;
}

Ranking read_ranking(const Config& config, std::vector<Config>& by) {
  Ranking ranking;
  ranking.group = config.at("group").text();
  ranking.differ_by = config.at("differ_by").share();
  ranking.where = config.where();
  by = config.at("by").items();
  // The order in which one suite names the keys says nothing: cases of two suites meet by the values.
  std::sort(by.begin(), by.end(), [](const Config& a, const Config& b) { return a.text() < b.text(); });
  return ranking;
}

std::vector<Parameter> read_fit(const Config& config, SuiteGroup group) {
  if (group != SuiteGroup::calibrate)
    throw config.error(fmt::format("parameters to fit in a suite of group {}", name_of(group)),
                       "what is fitted on a suite is not predicted by it", "fit in suites of group calibrate");
  std::vector<Parameter> parameters;
  for (const auto& [key, bounds] : config.entries()) {
    check_override_key(key, bounds);
    parameters.push_back(read_parameter(key, bounds));
  }
  if (parameters.empty()) throw config.error("no parameters", "", "key: [low, high]");
  return parameters;
}

}  // namespace

const char* name_of(SuiteGroup group) {
  switch (group) {
    case SuiteGroup::calibrate:
      return "calibrate";
    case SuiteGroup::predict:
      return "predict";
    case SuiteGroup::baseline:
      return "baseline";
  }
  return "";
}

std::string suite_path(const std::string& file_or_name) {
  const bool is_name = file_or_name.find_first_of("/.") == std::string::npos;
  if (!is_name || std::filesystem::exists(file_or_name)) return file_or_name;
  return data_file("scenarios/suites", file_or_name, ".yaml", {});
}

Suite read_suite(const std::string& path) {
  const Config config = Config::read_file(path);
  Suite suite;
  SuiteDefaults defaults;
  suite.file = defaults.file = path;
  suite.name = config.at("name").text();
  suite.description = config.at("description").text();
  suite.source = config.at("source").text();
  suite.group = group_of(config.at("group").choice({"predict", "calibrate", "baseline"}));
  defaults.scenario = config.find("scenario");
  const auto metric = config.find("metric");
  suite.metric = metric ? metric->choice(metric_names()) : "iteration_seconds";
  suite.metric_where = metric ? metric->where() : config.where();
  suite.unit = config.at("unit").text();
  if (const auto scale = config.find("scale")) suite.scale = scale->number(1e-15, 1e15);
  if (const auto compare = config.find("compare"))
    suite.compare = compare->choice({"equal", "at_most"}) == "at_most" ? Compare::at_most : Compare::equal;
  defaults.tolerance = config.at("tolerance").share();
  suite.tolerance_reason = config.at("tolerance_reason").text();
  if (const auto set = config.find("set")) defaults.set = read_overrides(*set);
  defaults.slope_over = config.find("slope_over");
  if (defaults.slope_over) suite.slope_over = defaults.slope_over->text();
  if (const auto ranking = config.find("ranking")) suite.ranking = read_ranking(*ranking, defaults.ranked_by);
  if (const auto fit = config.find("fit")) suite.fit = read_fit(*fit, suite.group);
  const Config columns = config.at("columns");
  const Config rows = config.at("cases");
  suite.cases = read_cases(columns, rows, defaults);
  config.reject_unread();
  return suite;
}

std::vector<Suite> read_suites(const std::vector<std::string>& files_or_names) {
  std::vector<Suite> suites;
  for (const std::string& file_or_name : files_or_names) {
    Suite suite = read_suite(suite_path(file_or_name));
    for (const Suite& other : suites) {
      if (other.name == suite.name)
        throw UserError({suite.file, 1, 1}, fmt::format("a second suite '{}'", suite.name), "it would count twice",
                        "suites of different names");
      if (suite.ranking && other.ranking && suite.ranking->group == other.ranking->group &&
          suite.metric != other.metric)
        throw UserError(
            suite.ranking->where,
            fmt::format("suite '{}' ranks another metric in group '{}'", other.name, other.ranking->group),
            fmt::format("{} here, {} there", suite.metric, other.metric), "one metric per ranking group");
    }
    suites.push_back(std::move(suite));
  }
  return suites;
}

}  // namespace longhaul
