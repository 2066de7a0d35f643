#include "sim/description/platform_view.hpp"

#include <utility>

#include "sim/base/error.hpp"

namespace longhaul {

PlatformView::PlatformView(std::string name, std::vector<Device> devices, std::vector<Path> paths)
    : name_(std::move(name)), devices_(std::move(devices)), paths_(std::move(paths)) {
  require(paths_.size() == devices_.size() * devices_.size(), "a platform view needs one path per ordered pair");
}

}  // namespace longhaul
