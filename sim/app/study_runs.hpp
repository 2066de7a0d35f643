// How points of studies are run.
#pragma once

#include <string>
#include <vector>

#include "analysis/study_results.hpp"
#include "sim/description/scenario.hpp"

namespace longhaul {

/// The scenario at a point, with or without what its held axes change. Throws UserError.
Scenario scenario_at(const Study& study, const StudyPoint& point, HeldAxes held);

/// Plans and simulates a point. What the user can get wrong becomes the row's error.
StudyRow run_point(const Study& study, const StudyPoint& point, std::size_t index);

/// A number for all that the results depend on: every point's scenario, the platforms they name, this version of the
/// program. Reads every scenario: UserError for the first mistake.
std::string fingerprint_of(const Study& study, const std::vector<StudyPoint>& points);

}  // namespace longhaul
