// Results as one HTML page that works offline: text, tables and figures, with the data and the scripts that draw them inside.
#pragma once

#include <map>
#include <string>

#include "analysis/places.hpp"
#include "analysis/report_assets.hpp"
#include "analysis/result_folder.hpp"

namespace longhaul {

/// Deterministic. What the folder lacks is left out, with a line that says which command would add it. Text of the user's
/// is escaped. The timeline shows at most 100 000 spans, the longest ones, and says so.
/// UserError if the assets lack the charting library.
std::string report_html(const ResultFolder& results, const std::map<std::string, Place>& places,
                        const ReportAssets& assets);

}  // namespace longhaul
