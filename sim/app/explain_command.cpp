#include <algorithm>

#include "analysis/explanation_report.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/fixed_plan_runs.hpp"
#include "sim/app/output.hpp"
#include "sim/app/progress_bar.hpp"
#include "sim/app/run_scenario.hpp"
#include "sim/app/scenario_options.hpp"
#include "sim/base/file.hpp"

namespace longhaul {
namespace {

// The scenario with each scheduler, all read before the first plans: a mistake in the last name costs no waiting.
std::vector<Scenario> with_schedulers(const ScenarioOptions& options, const std::vector<std::string>& schedulers) {
  std::vector<Scenario> scenarios;
  for (const std::string& scheduler : schedulers) {
    ScenarioOptions one = options;
    one.scheduler = scheduler;
    one.rank_map.reset();
    scenarios.push_back(read_scenario(one));
    scheduler_of(scenarios.back());
  }
  return scenarios;
}

std::vector<std::string> competitors(const ScenarioOptions& options, const Scenario& scenario) {
  if (!options.schedulers.empty()) return options.schedulers;
  return scenario.plan.pipelines.empty() ? std::vector<std::string>{"megatron", "random"}
                                         : std::vector<std::string>{"random"};
}

}  // namespace

void explain_command(const ScenarioOptions& options) {
  std::vector<Scenario> scenarios{read_scenario(options)};
  scheduler_of(scenarios.front());
  std::vector<std::string> schedulers{options.scheduler.value_or(scenarios.front().scheduler.name)};
  for (const std::string& scheduler : competitors(options, scenarios.front()))
    if (std::find(schedulers.begin(), schedulers.end(), scheduler) == schedulers.end())
      schedulers.push_back(scheduler);
  for (Scenario& other : with_schedulers(options, {schedulers.begin() + 1, schedulers.end()}))
    scenarios.push_back(std::move(other));
  std::optional<Folder> folder;
  if (options.out) folder.emplace(*options.out);  // before anybody waits for results that have no place

  Explanation explanation;
  {
    ProgressBar bar;
    const auto show = [&bar](const std::string& what, double share) { bar.show(what, share); };
    std::vector<Plan> plans;
    if (!has_changeable_links(scenarios.front())) scenarios.resize(1);  // no plan competes where nothing changes
    schedulers.resize(scenarios.size());
    for (const Scenario& scenario : scenarios) plans.push_back(plan_scenario(scenario, show).record.plan);
    Rerunner rerunner = rerunner_of(scenarios.front(), plans, schedulers);
    rerunner.progress = show;
    explanation = explain(rerunner);
  }
  const std::string json = json_of(explanation, scenarios.front().name);
  if (options.out) {
    FileSet files;
    files.add(*options.out + "/explanation.json", json);
    files.publish();
  }
  print_text(options.json ? json : report_of(explanation, scenarios.front().name));
}

}  // namespace longhaul
