// A suite: runs with the values that somebody recorded for them, as read from scenarios/suites/*.yaml. The format is
// described in scenarios/README.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/override.hpp"
#include "analysis/parameter.hpp"
#include "sim/base/error.hpp"
#include "sim/description/config.hpp"

namespace longhaul {

/// calibrate: parameters may be fitted on it. predict: they never are. baseline: values of our own, which may be
/// recorded anew.
enum class SuiteGroup { calibrate, predict, baseline };
const char* name_of(SuiteGroup group);

/// equal: |error| <= tolerance. at_most: error <= tolerance.
enum class Compare { equal, at_most };

struct SuiteCase {
  std::string label;                // for people
  std::string scenario;             // path
  std::vector<Override> overrides;  // the suite's, then the case's own
  double recorded = 0;              // positive
  Location recorded_where;
  double tolerance = 0;      // share of the recorded value
  std::string line;          // cases with equal text form a line; only with slope_over
  double position = 0;       // along the line
  std::string compared_for;  // cases with equal text are ranked against each other; only with ranking
};

/// Cases of all suites with the same `group` and equal values of some keys are compared in pairs, where their
/// recorded values differ by more than `differ_by` (larger / smaller - 1).
struct Ranking {
  std::string group;
  double differ_by = 0;
  Location where;
};

struct Suite {
  std::string file;
  std::string name;
  std::string description;
  std::string source;
  SuiteGroup group = SuiteGroup::predict;
  std::string metric;
  Location metric_where;
  std::string unit;
  double scale = 1;  // simulated value x scale is what is compared
  Compare compare = Compare::equal;
  std::string tolerance_reason;
  std::string slope_over;  // empty = none
  std::optional<Ranking> ranking;
  std::vector<Parameter> fit;
  std::vector<SuiteCase> cases;  // at least one
};

/// The path itself if it looks like one or exists, else that of the shipped suite of this name.
std::string suite_path(const std::string& file_or_name);

/// Reads a suite; every mistake is a UserError at its place. Scenarios are not opened.
Suite read_suite(const std::string& path);

/// Reads several suites. UserError if two have the same name, or if rankings of one group compare different metrics.
std::vector<Suite> read_suites(const std::vector<std::string>& files_or_names);

}  // namespace longhaul
