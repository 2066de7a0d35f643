#include "tests/description/routes.hpp"

#include <algorithm>
#include <sstream>

#include <simgrid/s4u.hpp>

#include "sim/base/child_process.hpp"
#include "sim/base/temporary_file.hpp"

namespace longhaul {

std::vector<std::string> route_links(const std::string& xml, const std::string& from, const std::string& to) {
  namespace s4u = simgrid::s4u;
  std::istringstream answer(run_in_child([&] {
    const TemporaryFile file(xml);
    std::string name = "test", quiet = "--log=root.thresh:critical";
    char* arguments[] = {name.data(), quiet.data(), nullptr};
    int count = 2;
    const s4u::Engine engine(&count, arguments);
    engine.load_platform(file.path());
    engine.seal_platform();
    std::vector<s4u::Link*> links;
    double latency = 0;
    engine.host_by_name(from)->route_to(engine.host_by_name(to), links, &latency);
    std::string names;
    for (const s4u::Link* link : links)
      names += link->get_name() + (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE ? "*\n" : "\n");
    return names;
  }));
  std::vector<std::string> names;
  for (std::string name; std::getline(answer, name);) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace longhaul
