// The links of a route as SimGrid finds them.
#pragma once

#include <string>
#include <vector>

namespace longhaul {

/// Names of the links from one host to another, in order, with `*` after those that flows do not share (FATPIPE).
/// Found by SimGrid in a child process.
std::vector<std::string> route_links(const std::string& xml, const std::string& from, const std::string& to);

}  // namespace longhaul
