// The charts of results, as data: what the report shows and `--svg` draws.
#pragma once

#include <vector>

#include "analysis/chart.hpp"
#include "analysis/result_folder.hpp"

namespace longhaul {

/// Where the iteration's time goes: one bar per record, named by its scheduler. Every record is simulated.
/// Stacked bars, id "breakdown".
Chart breakdown_chart(const std::vector<RunRecord>& records);

/// DT-FM's cost of each plan against its simulated seconds; the summary says how far they rank alike (Spearman, Kendall).
/// Points, id "cost".
Chart cost_chart(const std::vector<RunRecord>& records);

/// Between regions, from row to column: means over the pairs of devices on different machines (on one machine, where
/// there are no others); NaN where a region has a single device. Matrices, ids "bandwidth", "latency".
Chart bandwidth_chart(const PlatformView& platform);
Chart latency_chart(const PlatformView& platform);

/// How much of each link's capacity the iteration used, in percent, from row to column. Matrix, id "utilisation".
Chart utilisation_chart(const RunResult& run);

/// One chart per metric over the first axis of numbers, one line per value of the other axes; medians with a band from
/// the 10th to the 90th percentile where there are samples. Axes are logarithmic where their values span more than a
/// decade. Without an axis of numbers: one bar per point. Ids "NAME_METRIC".
std::vector<Chart> swept_study_charts(const SweptStudy& study);

/// All of the above for what the folder holds, in this order. Ids are unique.
std::vector<Chart> result_charts(const ResultFolder& results);

}  // namespace longhaul
