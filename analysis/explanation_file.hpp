// What `longhaul explain` found, read back from its explanation.json (keys: README.md): as much of it as a report shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace longhaul {

/// A link between two regions.
struct ExplainedLink {
  std::string name;             // "A->B"
  Seconds on_path;              // of the critical path
  std::optional<Seconds> gain;  // by which the iteration gets shorter with twice the bandwidth
  bool simulated = false;       // the gain was simulated, not only predicted from the critical path
};

/// What gains most from twice the speed.
enum class Limit {
  unknown,  // nothing was changed: a platform given as a SimGrid file
  nothing,
  link,
  cards,      // the machines' network cards
  computing,  // devices of one type
};

struct ExplanationFile {
  std::string scenario;
  std::string scheduler;
  Seconds iteration;
  std::string phase;  // the part of the iteration that most of the critical path belongs to
  Seconds phase_seconds;
  Limit limit = Limit::unknown;
  std::string limiting;  // the link, or the device type
  Seconds limiting_gain;
  std::vector<ExplainedLink> links;  // the largest gain first, then the largest part of the path
  std::string next_fixed;            // what was made twice as fast to see what limits next; may be empty
  Seconds next_iteration;
  std::string next_link;  // the link with most of the critical path then; may be empty
};

/// UserError with the file's name where it is no explanation.
ExplanationFile read_explanation(const std::string& path);

}  // namespace longhaul
