#include "analysis/case_runner.hpp"

#include <cstring>

#include <fmt/format.h>

#include "analysis/metric.hpp"
#include "sim/base/parallel.hpp"

namespace longhaul {
namespace {

double simulated_value(const Trial& trial, const CaseRunner& runner) {
  const Suite& suite = *trial.suite;
  const Extent extent = needs_simulation(suite.metric) ? Extent::simulated : Extent::planned;
  const std::optional<double> value = metric_value(runner.run(trial.what, extent), suite.metric);
  if (!value)
    throw UserError(suite.metric_where, fmt::format("case '{}' has no finite {}", trial.what.label, suite.metric), "",
                    "a metric that every case has");
  return *value * suite.scale;
}

}  // namespace

std::vector<Trial> trials_of(const std::vector<Suite>& suites) {
  std::vector<Trial> trials;
  for (const Suite& suite : suites)
    for (const SuiteCase& one : suite.cases) trials.push_back({&suite, one});
  return trials;
}

void check_cases(const std::vector<Suite>& suites, const CaseRunner& runner) {
  for (const Trial& trial : trials_of(suites)) runner.resolved(trial.what);
}

std::vector<double> simulated_values(const std::vector<Trial>& trials, const CaseRunner& runner) {
  const std::vector<std::string> answers = parallel_map(
      trials.size(), runner.processes,
      [&](std::size_t i) {
        const double value = simulated_value(trials[i], runner);
        std::string bytes(sizeof value, '\0');
        std::memcpy(bytes.data(), &value, sizeof value);
        return bytes;
      },
      runner.progress);
  std::vector<double> values(trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) std::memcpy(&values[i], answers[i].data(), sizeof(double));
  return values;
}

}  // namespace longhaul
