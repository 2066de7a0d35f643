// Folders of results, as --out would fill them.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace longhaul {

inline std::string file_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// The first of `parts` that a page does not contain; empty if it has them all. A failing check shows no page then.
inline std::string lacking(const std::string& page, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (page.find(part) == std::string::npos) return part;
  return "";
}

/// `text` with the first `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// A study of two placements over four bandwidths with three seeds each: 100 at factor 0.1, 4 at 10, 10 % more or less.
inline std::string study_json() {
  std::string summary;
  const char* labels[] = {"0.1", "1", "10", "20"};
  const double values[] = {100, 20, 5, 4};
  for (const char* placement : {"dtfm", "random"})
    for (int i = 0; i < 4; ++i) {
      const double value = values[i] * (std::string(placement) == "dtfm" ? 1 : 2);
      summary += std::string(summary.empty() ? "" : ",") + R"({"axes":{"bandwidth":")" + labels[i] +
                 R"(","placement":")" + placement + R"("},"metric":"iteration_seconds","count":3,"mean":)" +
                 std::to_string(value) + ",\"p10\":" + std::to_string(0.9 * value) +
                 ",\"p50\":" + std::to_string(value) + ",\"p90\":" + std::to_string(1.1 * value) + "}";
    }
  return R"({"study":{"name":"wide_area","description":"where it matters","axes":[)"
         R"({"name":"bandwidth","values":["0.1","1","10","20"],"numeric":[0.1,1,10,20],"samples":false},)"
         R"({"name":"placement","values":["dtfm","random"],"numeric":[null,null],"samples":false},)"
         R"({"name":"seed","values":["1","2","3"],"numeric":[1,2,3],"samples":true}],)"
         R"("metrics":["iteration_seconds"]},"rows":[],"summary":[)" +
         summary + "]}\n";
}

inline std::string explanation_json() {
  return R"({"scenario":"two_sites_smoke","scheduler":"identity","iteration_seconds":4.5,"critical_path":{"phases":[)"
         R"({"name":"gradient sync","seconds":3.0}],"links":[{"name":"north->south","seconds":2.5},)"
         R"({"name":"south->north","seconds":0.5}]},"sensitivities":[)"
         R"({"kind":"device_type","name":"A100","twice_gain_seconds":{"predicted":2.0,"simulated":2.0}},)"
         R"({"kind":"link","name":"south->north","twice_gain_seconds":{"predicted":0.25,"simulated":null}},)"
         R"({"kind":"link","name":"north->south","twice_gain_seconds":{"predicted":1.0,"simulated":1.25}}],)"
         R"("next_bottleneck":null})"
         "\n";
}

/// The files of a run and of a comparison of two_sites_smoke in a folder. What fails shows in the tests.
inline void fill_with_results(const std::string& folder) {
  longhaul_program("run two_sites_smoke --out " + folder);
  longhaul_program("compare two_sites_smoke --schedulers identity,random --out " + folder);
}

}  // namespace longhaul
