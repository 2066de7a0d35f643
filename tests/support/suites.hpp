// Suites for tests: text of suite files on the small shipped scenario, and suites as plain values.
#pragma once

#include <string>

#include "analysis/suite.hpp"

namespace longhaul {

/// A suite file's text; `rest` holds what differs, at least columns and cases.
inline std::string suite_text(const std::string& name, const std::string& group, const std::string& rest) {
  return "name: " + name + "\ndescription: a test\nsource: worked out by hand\ngroup: " + group +
         "\nscenario: two_sites_smoke\nunit: s\ntolerance: 10 %\ntolerance_reason: a test\n" + rest;
}

inline SuiteCase plain_case(const std::string& label, double recorded) {
  SuiteCase one;
  one.label = label;
  one.recorded = recorded;
  one.tolerance = 0.1;
  return one;
}

inline Suite plain_suite(const std::string& name, SuiteGroup group, std::vector<SuiteCase> cases) {
  Suite suite;
  suite.name = name;
  suite.group = group;
  suite.metric = "iteration_seconds";
  suite.unit = "s";
  suite.cases = std::move(cases);
  return suite;
}

}  // namespace longhaul
