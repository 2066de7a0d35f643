#include "analysis/explanation_file.hpp"

#include <limits>

#include "analysis/record_file.hpp"
#include "sim/description/config.hpp"

namespace longhaul {

Explanation read_explanation(const std::string& path) {
  const Config json = Config::parse(read_result_text(path), path);
  Explanation explanation;
  explanation.summary = json.at("summary").text();
  return explanation;
}

}  // namespace longhaul
