#include "analysis/calibration.hpp"
#include "analysis/calibration_report.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/output.hpp"
#include "sim/app/suite_runs.hpp"

namespace longhaul {

void calibrate_command(const SuiteOptions& options) {
  const std::vector<Suite> suites = read_suites(options.suites);
  const std::vector<Parameter> parameters = parameters_of(suites, options.fit);
  Calibration calibration;
  {
    ProgressBar bar;
    calibration = calibrate(suites, parameters, case_runner(options.jobs, bar, "calibration"), options.evaluations);
  }
  print_text(options.json ? json_of(calibration) : report_of(calibration));
}

}  // namespace longhaul
