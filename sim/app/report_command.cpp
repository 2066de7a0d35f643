#include "analysis/report.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/output.hpp"
#include "sim/base/file.hpp"

namespace longhaul {

void report_command(const std::string& folder, const std::optional<std::string>& out) {
  const ReportAssets assets = report_assets();
  const std::string page = report_html(read_results(folder), read_places(), assets);
  const std::string path = out.value_or(folder + "/report.html");
  write_text_file(path, page);
  print_text(path + "\n");
}

}  // namespace longhaul
