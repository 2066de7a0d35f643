#include "sim/description/platform_view.hpp"

#include <unordered_map>
#include <utility>

#include "sim/base/error.hpp"

namespace longhaul {

PlatformView::PlatformView(std::string name, std::vector<Device> devices, PathTable paths)
    : name_(std::move(name)), devices_(std::move(devices)), paths_(std::move(paths)) {
  require(paths_.devices() == devices_.size(), "a platform view needs the paths of all its devices");
  std::unordered_map<std::string, std::uint32_t> number_of;
  for (const Device& device : devices_)
    machine_.push_back(number_of.emplace(device.machine, static_cast<std::uint32_t>(number_of.size())).first->second);
}

}  // namespace longhaul
