#include "analysis/report.hpp"

#include <fmt/format.h>

#include "analysis/report_parts.hpp"
#include "analysis/result_charts.hpp"
#include "sim/base/error.hpp"
#include "sim/base/xml_text.hpp"

namespace longhaul {
namespace {

// Replaces every {{name}} of the page; what is put in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string, std::string_view>& values) {
  std::string text;
  while (true) {
    const std::size_t open = page.find("{{");
    if (open == std::string_view::npos) return text.append(page);
    const std::size_t close = page.find("}}", open);
    require(close != std::string_view::npos, "a placeholder of the report's page is not closed");
    const auto value = values.find(std::string(page.substr(open + 2, close - open - 2)));
    require(value != values.end(), "the report's page has an unknown placeholder");
    text.append(page.substr(0, open)).append(value->second);
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string report_html(const ResultFolder& results, const std::map<std::string, Place>& places,
                        const ReportAssets& assets) {
  if (assets.charting_library.empty() || assets.coastlines.empty())
    throw UserError({}, "this build makes no reports",
                    "what they are drawn with could not be downloaded when it was configured",
                    "a build that is configured with network, see cmake/report_libraries.cmake");
  const std::vector<Chart> charts = result_charts(results);
  const std::vector<Section> sections = report_sections(results, charts, places);
  std::string navigation;
  std::string body;
  for (const Section& section : sections) {
    const std::string heading = xml_escaped(section.heading);
    navigation += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, heading);
    body += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n{2}</section>\n",
        section.id, heading, section.body);
  }
  const std::string title = xml_escaped(title_of(results)) + " – Longhaul";
  const std::string header = header_html(results, places, navigation);
  const std::string data = report_data(results, charts, places);
  return filled(assets.page, {{"title", title},
                              {"style", assets.style},
                              {"header", header},
                              {"sections", body},
                              {"data", data},
                              {"coastlines", assets.coastlines},
                              {"charting_library", assets.charting_library},
                              {"script", assets.script}});
}

}  // namespace longhaul
