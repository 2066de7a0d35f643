#include "sim/app/study_runs.hpp"

#include <set>

#include <fmt/format.h>

#include "analysis/metric.hpp"
#include "sim/app/run_scenario.hpp"
#include "sim/base/file.hpp"
#include "sim/description/platform_xml.hpp"
#include "sim/workload/fixed_plan.hpp"

namespace longhaul {
namespace {

constexpr std::size_t most_platform_bytes = 1'000'000'000;

// FNV-1a, 64 bits: the same on every machine.
class Fingerprint {
 public:
  void add(const std::string& text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    value_ = (value_ ^ 0xffU) * 0x100000001b3ULL;  // so that texts do not run together
  }
  std::string text() const { return fmt::format("{:016x}", value_); }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

// With the placement that the scenario gets without the held axes. Degrees and the like come from the scenario at the point,
// so a scheduler that decides those too has no plan that could be held.
void hold_plan(const Study& study, const StudyPoint& point, Scenario& scenario) {
  const Scenario without = scenario_at(study, point, HeldAxes::left_out);
  const Plan plan = plan_scenario(without, nullptr).record.plan;
  Plan decided = plan;
  if (without.plan.ring_order == RingOrder::nearest) decided.ring_orders.clear();
  if (!same_but_placement(decided, fixed_plan(without, plan.rank_of_device.size())))
    throw UserError({study.file, 1, 1},
                    fmt::format("scheduler '{}' decides more than a placement", without.scheduler.name),
                    "an axis with plan: held keeps placements only", "plan: anew, or a scheduler that only places");
  scenario.scheduler.name = "rank_map";
  scenario.scheduler.rank_map = plan.rank_of_device;
  scenario.scheduler.megatron_order = false;
}

RunRecord record_at(const Study& study, const StudyPoint& point, bool simulated) {
  Scenario scenario = scenario_at(study, point, HeldAxes::taken);
  if (holds_plan(study, point)) hold_plan(study, point, scenario);
  return simulated ? run_scenario(scenario, nullptr).record : plan_scenario(scenario, nullptr).record;
}

}  // namespace

Scenario scenario_at(const Study& study, const StudyPoint& point, HeldAxes held) {
  ScenarioSource source(study.scenario);
  for (const Override& one : overrides_at(study, point, held)) source.set_value(one.key, one.value);
  Scenario scenario = source.read();
  scheduler_of(scenario);
  return scenario;
}

StudyRow run_point(const Study& study, const StudyPoint& point, std::size_t index) {
  bool simulated = false;
  for (const std::string& metric : study.metrics) simulated = simulated || needs_simulation(metric);
  StudyRow row{index, std::vector<std::optional<double>>(study.metrics.size()), ""};
  try {
    const RunRecord record = record_at(study, point, simulated);
    for (std::size_t i = 0; i < study.metrics.size(); ++i) row.values[i] = metric_value(record, study.metrics[i]);
  } catch (const UserError& error) {
    row.error = error.what();
  }
  return row;
}

std::string fingerprint_of(const Study& study, const std::vector<StudyPoint>& points) {
  Fingerprint fingerprint;
  fingerprint.add(LONGHAUL_VERSION);
  std::set<std::string> platforms;
  for (const StudyPoint& point : points) {
    const Scenario scenario = scenario_at(study, point, HeldAxes::taken);
    fingerprint.add(resolved_yaml(scenario, scenario.platform));
    if (scenario.cluster) {
      fingerprint.add(platform_xml(*scenario.cluster));
    } else if (platforms.insert(scenario.platform).second) {
      fingerprint.add(read_text_file(scenario.platform, most_platform_bytes));
    }
    if (holds_plan(study, point)) {
      const Scenario held = scenario_at(study, point, HeldAxes::left_out);
      fingerprint.add(resolved_yaml(held, held.platform));
    }
  }
  return fingerprint.text();
}

}  // namespace longhaul
