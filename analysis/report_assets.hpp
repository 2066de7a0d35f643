// The files that a report is made of, as they were built into the program.
#pragma once

#include <string>
#include <string_view>

namespace longhaul {

/// index.html, report.css, our scripts one after the other; the charting library and the coastlines are empty where the
/// build could not download them (cmake/report_libraries.cmake).
struct ReportAssets {
  std::string_view page;
  std::string_view style;
  std::string script;
  std::string_view charting_library;
  std::string_view coastlines;
};
ReportAssets report_assets();

}  // namespace longhaul
