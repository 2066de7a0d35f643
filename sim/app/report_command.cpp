#include "analysis/report.hpp"
#include "analysis/result_pictures.hpp"
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

void pictures_command(const std::string& folder, const std::string& out) {
  const std::vector<Picture> pictures =
      result_pictures(read_results(folder), read_places(), report_assets().coastlines);
  const Folder created(out);
  FileSet files;
  std::string paths;
  for (const Picture& picture : pictures) {
    const std::string path = out + "/" + picture.name + ".svg";
    files.add(path, picture.svg);
    paths += path + "\n";
  }
  files.publish();
  print_text(paths);
}

}  // namespace longhaul
