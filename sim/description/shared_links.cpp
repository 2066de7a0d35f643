#include "sim/description/shared_links.hpp"

#include <cstring>
#include <unordered_map>

#include <simgrid/s4u.hpp>

#include "sim/base/child_process.hpp"
#include "sim/base/temporary_file.hpp"

namespace longhaul {
namespace {

namespace s4u = simgrid::s4u;

// The answer of the child: all links as "bandwidth\0name\0", an empty line, then numbers of links pair by pair.
std::string routes_of(const Platform& platform, const std::vector<DevicePair>& pairs) {
  const TemporaryFile xml(platform.xml);
  std::string name = "longhaul", quiet = "--log=root.thresh:critical";
  char* arguments[] = {name.data(), quiet.data(), nullptr};
  int count = 2;
  const s4u::Engine engine(&count, arguments);
  s4u::Engine::set_config("network/model:CM02");
  go_beside(platform.file);
  engine.load_platform(xml.path());
  engine.seal_platform();

  std::vector<s4u::Host*> hosts;
  for (const Device& device : platform.view.devices()) hosts.push_back(engine.host_by_name(device.name));
  std::unordered_map<const s4u::Link*, std::uint32_t> number_of;
  std::string links, routes;
  const auto put = [](std::string& bytes, const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::vector<s4u::Link*> route;
  for (const auto& [from, to] : pairs) {
    route.clear();
    double latency = 0;
    hosts[from.value]->route_to(hosts[to.value], route, &latency);
    std::string numbers;
    for (const s4u::Link* link : route) {
      if (!link->is_shared()) continue;
      const auto [found, is_new] = number_of.emplace(link, static_cast<std::uint32_t>(number_of.size()));
      if (is_new) {
        put(links, link->get_bandwidth());
        links += link->get_name() + '\0';
      }
      put(numbers, found->second);
    }
    put(routes, static_cast<std::uint32_t>(numbers.size() / sizeof(std::uint32_t)));
    routes += numbers;
  }
  std::string bytes;
  put(bytes, static_cast<std::uint32_t>(number_of.size()));
  return bytes + links + routes;
}

}  // namespace

SharedLinks shared_links(const Platform& platform, const std::vector<DevicePair>& pairs) {
  const std::string bytes = run_in_child([&] { return routes_of(platform, pairs); });
  const char* at = bytes.data();
  const auto take = [&at](auto value) {
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  };
  SharedLinks links;
  for (auto count = take(std::uint32_t{}); count > 0; --count) {
    links.bandwidths.emplace_back(take(double{}));
    links.names.emplace_back(at);
    at += links.names.back().size() + 1;
  }
  links.on_route.resize(pairs.size());
  for (std::vector<std::uint32_t>& route : links.on_route)
    for (auto count = take(std::uint32_t{}); count > 0; --count) route.push_back(take(std::uint32_t{}));
  return links;
}

bool may_have_shared_links(const std::string& xml) {
  const auto count = [&xml](const std::string& words) {
    std::size_t found = 0;
    for (std::size_t at = xml.find(words); at != std::string::npos; at = xml.find(words, at + words.size())) ++found;
    return found;
  };
  for (const char* element : {"<cluster", "<cabinet", "<peer", "<backbone", "<host_link", "<include", "<!ENTITY"})
    if (xml.find(element) != std::string::npos) return true;
  return count("<link") - count("<link_ctn") != count("sharing_policy=\"FATPIPE\"");
}

std::optional<std::string> beyond_constant_links(const std::string& xml) {
  for (const char* word : {"_file", "<trace", "<include", "<!ENTITY", "<config", "coordinates", "Vivaldi"})
    if (xml.find(word) != std::string::npos) return word;
  return std::nullopt;
}

}  // namespace longhaul
