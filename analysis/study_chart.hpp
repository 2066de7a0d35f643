// The figure of a study.
#pragma once

#include "analysis/chart.hpp"
#include "analysis/study_results.hpp"

namespace longhaul {

/// The study's figure: lines over an axis of numbers, logarithmic where the numbers span more than a decade, bars over any
/// other. Samples become a median with a band from the 10th to the 90th percentile. A study without a figure is drawn over its
/// last axis that is no sample, with its first metric.
Chart chart_of(const StudyResults& results);

}  // namespace longhaul
