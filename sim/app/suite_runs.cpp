#include "sim/app/suite_runs.hpp"

#include "sim/app/run_scenario.hpp"
#include "sim/base/parallel.hpp"

namespace longhaul {

Scenario read_case(const SuiteCase& what) {
  ScenarioSource source(what.scenario);
  for (const Override& one : what.overrides) source.set_value(one.key, one.value);
  Scenario scenario = source.read();
  scheduler_of(scenario);
  return scenario;
}

CaseRunner case_runner(std::size_t processes, ProgressBar& bar, const std::string& what) {
  CaseRunner runner;
  runner.run = [](const SuiteCase& one, Extent extent) {
    const Scenario scenario = read_case(one);
    return extent == Extent::planned ? plan_scenario(scenario, nullptr).record
                                     : run_scenario(scenario, nullptr).record;
  };
  runner.resolved = [](const SuiteCase& one) {
    const Scenario scenario = read_case(one);
    return resolved_yaml(scenario, scenario.platform);
  };
  runner.processes = processes == 0 ? processor_count() : processes;
  runner.progress = [&bar, what](double share) { bar.show(what, share); };
  return runner;
}

}  // namespace longhaul
