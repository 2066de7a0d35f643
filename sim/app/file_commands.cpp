#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/commands.hpp"
#include "sim/app/output.hpp"
#include "sim/app/run_scenario.hpp"
#include "sim/app/scenario_options.hpp"
#include "sim/app/study_runs.hpp"
#include "sim/app/suite_runs.hpp"
#include "sim/base/file.hpp"
#include "sim/description/cluster.hpp"
#include "sim/description/platform_xml.hpp"
#include "sim/workload/fixed_plan.hpp"

namespace longhaul {
namespace {

std::string describe_platform(const std::string& file) {
  const PlatformView view = load_platform(file).view;
  return fmt::format("{}: platform '{}' with {} devices, every pair connected\n", file, view.name(), view.size());
}

std::string describe_scenario(const std::string& file) {
  ScenarioOptions options;
  options.scenario = file;
  const Scenario scenario = read_scenario(options);
  scheduler_of(scenario);
  const PlatformView view = platform_of(scenario).view;
  const Plan plan = fixed_plan(scenario, view.size());
  return fmt::format("{}: scenario '{}', {} layers of {} on {} devices, {}\n", file, scenario.name,
                     scenario.job.model.layers, scenario.job.model.name, view.size(),
                     plan.pipelines.empty()
                         ? fmt::format("pipeline {} x data {}", plan.degrees.pipeline, plan.degrees.data)
                         : fmt::format("{} replicas that differ", plan.degrees.data));
}

// Every case is read; platforms that are files are loaded once each.
std::string describe_suite(const std::string& file) {
  const Suite suite = read_suite(file);
  std::map<std::string, std::size_t> devices;
  for (const SuiteCase& one : suite.cases) {
    const Scenario scenario = read_case(one);
    const auto known = scenario.cluster ? devices.end() : devices.find(scenario.platform);
    const std::size_t size = known != devices.end() ? known->second : platform_of(scenario).view.size();
    if (!scenario.cluster) devices[scenario.platform] = size;
    fixed_plan(scenario, size);
  }
  return fmt::format("{}: suite '{}' of group {}, {} case{} of {} in {}\n", file, suite.name, name_of(suite.group),
                     suite.cases.size(), suite.cases.size() == 1 ? "" : "s", suite.metric, suite.unit);
}

std::string describe_study(const std::string& file) {
  const Study study = read_study(file);
  const std::vector<StudyPoint> points = points_of(study);
  fingerprint_of(study, points);  // reads every scenario
  return fmt::format("{}: study '{}', {} points, {}\n", file, study.name, points.size(),
                     fmt::join(study.metrics, ", "));
}

std::string describe_model(const Config& config, const std::string& file) {
  const Model model = read_model(config);
  config.reject_unread();
  return fmt::format("{}: model '{}' with {:.2f} billion parameters\n", file, model.name,
                     total_parameters(model) / 1e9);
}

// What a YAML file is shows in its keys.
std::string describe_yaml(const std::string& file) {
  const Config config = Config::read_file(file);
  if (config.find("axes")) return describe_study(file);
  if (config.find("cases")) return describe_suite(file);
  if (config.find("platform") || config.find("job")) return describe_scenario(file);
  if (config.find("machines")) return describe_platform(file);
  if (config.find("hidden")) return describe_model(config, file);
  throw config.error("neither a scenario, nor a suite, nor a study, nor a cluster description, nor a model",
                     "it has none of the keys platform, job, cases, axes, machines, hidden",
                     "one of these five, or a SimGrid platform file (.xml)");
}

}  // namespace

void validate_command(const std::string& file) {
  const bool xml = std::filesystem::path(file).extension() == ".xml";
  print_text(xml ? describe_platform(file) : describe_yaml(scenario_path(file)));
}

void platform_build_command(const std::vector<std::string>& descriptions, const std::optional<std::string>& out) {
  if (out && descriptions.size() > 1)
    throw UserError({}, "--out beside several descriptions", "each becomes a file of its own",
                    "--out with one description");
  FileSet files;
  std::string paths;
  for (const std::string& description : descriptions) {
    const std::string path = out ? *out : std::filesystem::path(description).replace_extension(".xml").string();
    files.add(path, platform_xml(read_cluster(description)));
    paths += path + "\n";
  }
  files.publish();
  print_text(paths);
}

}  // namespace longhaul
