#include "analysis/result_pictures.hpp"

#include "analysis/chart_gnuplot.hpp"
#include "analysis/coastlines.hpp"
#include "analysis/map_gnuplot.hpp"
#include "analysis/result_charts.hpp"
#include "analysis/timeline_gnuplot.hpp"

namespace longhaul {

std::vector<Picture> result_pictures(const ResultFolder& results, const std::map<std::string, Place>& places,
                                     std::string_view coastlines) {
  std::vector<Picture> pictures;
  for (const Chart& chart : result_charts(results)) pictures.push_back({chart.id, svg_of(chart)});
  if (!results.run) return pictures;
  pictures.push_back({"timeline", svg_of(drawing_of_timeline(*results.run))});
  if (const std::optional<Drawing> map = drawing_of_map(*results.run, places, land_rings(coastlines)))
    pictures.push_back({"map", svg_of(*map)});
  return pictures;
}

}  // namespace longhaul
