#include "analysis/report_assets.hpp"

#include <initializer_list>

// The assembler copies a file's bytes between two symbols.
#define LONGHAUL_FILE(name, path)                                                                                  \
  asm(".pushsection .rodata\n"                                                                                     \
      ".global longhaul_" #name "_begin\nlonghaul_" #name "_begin:\n.incbin \"" path "\"\n.global longhaul_" #name \
      "_end\nlonghaul_" #name "_end:\n.byte 0\n.popsection\n");                                                    \
  extern "C" const char longhaul_##name##_begin[];                                                                 \
  extern "C" const char longhaul_##name##_end[];                                                                   \
  static std::string_view name() {                                                                                 \
    return {longhaul_##name##_begin, static_cast<std::size_t>(longhaul_##name##_end - longhaul_##name##_begin)};   \
  }

LONGHAUL_FILE(page, LONGHAUL_REPORT_PAGE "/index.html")
LONGHAUL_FILE(style, LONGHAUL_REPORT_PAGE "/report.css")
LONGHAUL_FILE(theme_script, LONGHAUL_REPORT_PAGE "/theme.js")
LONGHAUL_FILE(charts_script, LONGHAUL_REPORT_PAGE "/charts.js")
LONGHAUL_FILE(land_script, LONGHAUL_REPORT_PAGE "/land.js")
LONGHAUL_FILE(map_script, LONGHAUL_REPORT_PAGE "/map.js")
LONGHAUL_FILE(timeline_data_script, LONGHAUL_REPORT_PAGE "/timeline_data.js")
LONGHAUL_FILE(timeline_view_script, LONGHAUL_REPORT_PAGE "/timeline_view.js")
LONGHAUL_FILE(timeline_script, LONGHAUL_REPORT_PAGE "/timeline.js")
LONGHAUL_FILE(start_script, LONGHAUL_REPORT_PAGE "/start.js")
LONGHAUL_FILE(charting_library, LONGHAUL_REPORT_LIBRARIES "/echarts.min.js")
LONGHAUL_FILE(coastlines, LONGHAUL_REPORT_LIBRARIES "/land-110m.json")

namespace longhaul {

ReportAssets report_assets() {
  std::string script;
  for (const std::string_view part :
       {theme_script(), charts_script(), land_script(), map_script(), timeline_data_script(), timeline_view_script(),
        timeline_script(), start_script()})
    script += part;
  return {page(), style(), script, charting_library(), coastlines()};
}

}  // namespace longhaul
