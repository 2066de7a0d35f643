#include <fmt/format.h>

#include "analysis/comparison.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/output.hpp"
#include "sim/app/progress_bar.hpp"
#include "sim/app/run_report.hpp"
#include "sim/app/run_scenario.hpp"
#include "sim/app/scenario_options.hpp"
#include "sim/base/file.hpp"
#include "sim/results/group_list.hpp"
#include "sim/results/json.hpp"
#include "sim/results/memory_timeline.hpp"
#include "sim/results/timeline_files.hpp"

namespace longhaul {
namespace {

Timing timing_of(const ScenarioOptions& options) { return options.timing ? Timing::shown : Timing::hidden; }

Engine engine_of(const ScenarioOptions& options) {
  if (options.engine == "simgrid") return Engine::simgrid;
  if (options.engine == "fast") return Engine::fast;
  return options.engine == "both" ? Engine::both : Engine::automatic;
}

Progress progress_on(ProgressBar& bar) {
  return [&bar](const std::string& what, double fraction) { bar.show(what, fraction); };
}

// The resolved scenario stands beside the platform it names, so that the folder reproduces itself anywhere.
void write_results(const std::string& folder, const Scenario& scenario, const SimulatedRun& run) {
  FileSet files;
  files.add(folder + "/platform.xml", run.platform.xml);
  files.add(folder + "/scenario.yaml", resolved_yaml(scenario, "platform.xml"));
  files.add(folder + "/plan.json", json_of(run.record.plan));
  files.add(folder + "/timeline.csv", timeline_csv(run.platform.view, run.graph, run.timeline));
  if (!run.record.memory.empty())
    files.add(folder + "/memory.csv",
              memory_csv(memory_timeline(scenario.job, run.record.plan, run.graph, run.timeline), run.platform.view));
  files.add(folder + "/trace.json", chrome_trace(run.platform.view, run.graph, run.timeline));
  files.add(folder + "/metrics.json", json_of(run.record, Timing::hidden));
  files.publish();
}

}  // namespace

void run_command(const ScenarioOptions& options) {
  const Scenario scenario = read_scenario(options);
  std::optional<Folder> folder;
  if (options.out) folder.emplace(*options.out);  // before anybody waits for results that have no place
  SimulatedRun run;
  {
    ProgressBar bar;
    run = run_scenario(scenario, progress_on(bar), engine_of(options));
  }
  if (options.out) write_results(*options.out, scenario, run);
  print_text(options.json ? json_of(run.record, timing_of(options))
                          : run_report(run.record, run.platform.view, timing_of(options)));
}

void plan_command(const ScenarioOptions& options) {
  const Scenario scenario = read_scenario(options);
  PlannedRun run;
  {
    ProgressBar bar;
    run = plan_scenario(scenario, progress_on(bar));
  }
  if (options.groups) {
    const auto list = options.json ? group_json : group_tables;
    print_text(list(scenario.job, run.record.plan, run.platform.view));
    return;
  }
  print_text(options.json ? json_of(run.record, timing_of(options))
                          : run_report(run.record, run.platform.view, timing_of(options)));
}

void compare_command(const ScenarioOptions& options) {
  std::vector<Scenario> scenarios;  // all read before the first runs: a mistake in the last name costs no waiting
  for (const std::string& scheduler : options.schedulers) {
    ScenarioOptions one = options;
    one.scheduler = scheduler;
    scenarios.push_back(read_scenario(one));
    scheduler_of(scenarios.back());
  }
  std::optional<Folder> folder;
  if (options.out) folder.emplace(*options.out);
  std::vector<RunRecord> records;
  {
    ProgressBar bar;
    for (const Scenario& scenario : scenarios)
      records.push_back(run_scenario(scenario, progress_on(bar), engine_of(options)).record);
  }
  if (options.out) {
    FileSet files;
    files.add(*options.out + "/comparison.json", json_of(records, Timing::hidden));
    files.publish();
  }
  if (options.json) {
    print_text(json_of(records, timing_of(options)));
    return;
  }
  for (std::size_t i = 0; i < records.size(); ++i) records[i].scheduler = options.schedulers[i];
  std::string text =
      fmt::format("{}: {}\n\n{}", scenarios.front().name, scenarios.front().description, comparison_table(records));
  if (options.timing)
    for (const RunRecord& record : records)
      text += fmt::format("{}: planning {:.3f} s, simulation {:.3f} s\n", record.scheduler,
                          record.planning_time.value, record.simulation_time.value);
  print_text(text);
}

}  // namespace longhaul
