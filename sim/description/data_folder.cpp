#include "sim/description/data_folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace longhaul {

std::string data_folder() {
  const char* chosen = std::getenv("LONGHAUL_DATA");
  return chosen != nullptr && *chosen != '\0' ? chosen : LONGHAUL_SOURCE_DIR;
}

std::vector<std::string> data_names(const std::string& subfolder, const std::string& extension) {
  std::vector<std::string> names;
  std::error_code problem;
  const std::string folder = data_folder() + "/" + subfolder;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  if (problem)
    throw UserError({folder, 0, 0}, "cannot read the data folder", problem.message(),
                    "LONGHAUL_DATA naming a folder with platforms and scenarios in it, or not set");
  std::sort(names.begin(), names.end());
  return names;
}

std::string data_file(const std::string& subfolder, const std::string& name, const std::string& extension,
                      const Location& where) {
  const std::vector<std::string> names = data_names(subfolder, extension);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw UserError(where, fmt::format("there is no '{}' in {}", name, subfolder), "",
                    names.empty() ? "the path of a file" : fmt::format("{}", fmt::join(names, ", ")));
  return data_folder() + "/" + subfolder + "/" + name + extension;
}

}  // namespace longhaul
