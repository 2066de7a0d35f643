// What `longhaul explain` found, read back from its explanation.json (keys: README.md).
#pragma once

#include <string>
#include <vector>

namespace longhaul {

/// What more speed of one link, region or device type would gain.
struct ExplainedGain {
  std::string what;
  double seconds = 0;  // the iteration is that much shorter with twice the speed, re-simulated where known
};

struct Explanation {
  std::string summary;               // one paragraph
  std::vector<ExplainedGain> links;  // by gain, largest first
};

/// UserError with the file's name where it is no explanation.
Explanation read_explanation(const std::string& path);

}  // namespace longhaul
