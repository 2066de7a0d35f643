// The pieces that analysis/report.hpp puts together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/chart.hpp"
#include "analysis/places.hpp"
#include "analysis/result_folder.hpp"

namespace longhaul {

/// The most spans that a report's timeline shows: together with everything else less than 5 MB.
constexpr std::size_t most_report_spans = 100'000;

/// A figure: the place for the drawing with its text alternative, and a table of the same values. A matrix is a table.
std::string figure_html(const Chart& chart);

/// Heading, headline numbers, and what limits the run. `navigation` stands below.
std::string header_html(const ResultFolder& results, const std::map<std::string, Place>& places,
                        const std::string& navigation);

struct Section {
  std::string id;
  std::string heading;
  std::string body;  // HTML
};
/// What there is to show, in order. `charts` as result_charts gives them.
std::vector<Section> report_sections(const ResultFolder& results, const std::vector<Chart>& charts,
                                     const std::map<std::string, Place>& places);

/// Links between regions by use, most used first: a table of the first `count`, the others folded away.
std::string links_html(const RunResult& run, const std::map<std::string, Place>& places, std::size_t count);

/// The name of the report: that of the scenario or study.
std::string title_of(const ResultFolder& results);

/// For the scripts: charts, map and timeline as JSON that may stand in a script element.
std::string report_data(const ResultFolder& results, const std::vector<Chart>& charts,
                        const std::map<std::string, Place>& places);

/// Whether the map can be drawn on the earth: every region has a place.
bool located(const PlatformView& platform, const std::map<std::string, Place>& places);

/// A region's label as people write it; its name where no place is known.
std::string label_of(const std::string& region, const std::map<std::string, Place>& places);

}  // namespace longhaul
