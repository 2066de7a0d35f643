// Rules of the house that a compiler does not check.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <catch2/catch.hpp>

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sources() {
  std::vector<fs::path> files;
  for (const char* folder : {"sim", "scheduler", "analysis"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(LONGHAUL_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string layer_of(const std::string& path) {
  for (const char* layer : {"sim/base", "sim/description", "sim/workload", "sim/results", "sim/engine", "sim/app",
                            "scheduler", "analysis"})
    if (path.rfind(std::string(layer) + "/", 0) == 0) return layer;
  return "";
}

std::vector<std::string> includes_of(const fs::path& file) {
  const std::string start = "#include ";
  std::vector<std::string> includes;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (line.rfind(start, 0) == 0) includes.push_back(line.substr(start.size() + 1, line.size() - start.size() - 2));
  return includes;
}

bool is_third_party(const std::string& include) {
  for (const char* folder : {"simgrid/", "xbt/", "boost/", "fmt/", "yaml-cpp/", "nlohmann/", "CLI/"})
    if (include.rfind(folder, 0) == 0) return true;
  return false;
}

std::string path_from_root(const fs::path& file) { return fs::relative(file, LONGHAUL_SOURCE_DIR).string(); }

}  // namespace

TEST_CASE("includes go one way: each layer sees only those before it") {
  const std::map<std::string, std::set<std::string>> allowed{
      {"sim/base", {}},
      {"sim/description", {"sim/base"}},
      {"sim/workload", {"sim/base", "sim/description"}},
      {"sim/results", {"sim/base", "sim/description", "sim/workload"}},
      {"sim/engine", {"sim/base", "sim/description", "sim/workload", "sim/results"}},
      {"scheduler", {"sim/base", "sim/description", "sim/workload"}},
      {"analysis", {"sim/base", "sim/description", "sim/workload", "sim/results"}},
      {"sim/app",
       {"sim/base", "sim/description", "sim/workload", "sim/results", "sim/engine", "scheduler", "analysis"}},
  };
  std::size_t seen = 0;
  for (const fs::path& file : sources()) {
    const std::string layer = layer_of(path_from_root(file));
    INFO(path_from_root(file));
    REQUIRE(!layer.empty());
    for (const std::string& include : includes_of(file)) {
      const std::string other = layer_of(include);
      if (other.empty() || other == layer) continue;
      INFO(include);
      CHECK(allowed.at(layer).count(other) == 1);
      ++seen;
    }
  }
  CHECK(seen > 50);
}

TEST_CASE("third parties stay out of headers, SimGrid in its few files") {
  const std::set<std::string> simgrid_files{"sim/description/platform_loader.cpp", "sim/description/shared_links.cpp",
                                            "sim/engine/simulation.cpp"};
  for (const fs::path& file : sources())
    for (const std::string& include : includes_of(file)) {
      INFO(path_from_root(file) << " includes " << include);
      if (file.extension() == ".hpp") CHECK_FALSE(is_third_party(include));
      if (include.rfind("simgrid/", 0) == 0) CHECK(simgrid_files.count(path_from_root(file)) == 1);
    }
}

TEST_CASE("no file grows past 400 lines") {
  for (const fs::path& file : sources()) {
    std::ifstream stream(file);
    const auto lines = std::count(std::istreambuf_iterator<char>(stream), {}, '\n');
    INFO(path_from_root(file));
    CHECK(lines <= 400);
  }
}

TEST_CASE("sources are formatted") {
  const std::string command =
      std::string("cd '") + LONGHAUL_SOURCE_DIR +
      "' && find sim scheduler analysis tests -name '*.[ch]pp' | xargs clang-format-14 --dry-run --Werror";
  CHECK(std::system(command.c_str()) == 0);
}
