// The axes of a study file.
#pragma once

#include <vector>

#include "analysis/study.hpp"

namespace longhaul {

/// Reads an entry of `axes`; `earlier` are those before it. UserError at the place of a mistake.
StudyAxis read_axis(const Config& config, const std::vector<StudyAxis>& earlier);

/// The index of the axis's value with that label. UserError listing the labels if there is none.
std::size_t value_labelled(const StudyAxis& axis, const Config& label);

}  // namespace longhaul
