// A run in words, for people.
#pragma once

#include <string>

#include "sim/description/platform_view.hpp"
#include "sim/results/json.hpp"
#include "sim/results/run_record.hpp"

namespace longhaul {

std::string run_report(const RunRecord& record, const PlatformView& platform, Timing timing);

}  // namespace longhaul
