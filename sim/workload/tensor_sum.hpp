// The sums among the slices of a stage (tensor parallelism).
#pragma once

#include <optional>

#include "sim/description/job.hpp"
#include "sim/description/network_model.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/rank_layout.hpp"
#include "sim/workload/schedule.hpp"

namespace longhaul {

/// All-reduces that `layers` layers need in a direction: two per layer forward, two backward, and two more where backward runs
/// the whole forward again (arXiv 1909.08053 section 3). With sequence parallelism each is a reduce-scatter and an all-gather
/// of the same bytes; none beside a layer profile, since times measured on slices include them; what backward gathers once more passes while it computes (arXiv 2205.05198 section 4.2.2).
std::size_t tensor_sums(const Job& job, std::size_t layers, PipelineStep::Direction direction);

/// How long one of them takes a stage by network.tensor_sums; nothing where that says nothing or the slices stand on several
/// machines: they are exchanged then. `devices` by rank. UserError where that number of slices was not measured.
std::optional<Seconds> measured_sum(const NetworkModel& network, const RankLayout& layout,
                                    const PlatformView& platform, const std::vector<DeviceId>& devices, RankId rank,
                                    Bytes activation);

}  // namespace longhaul
