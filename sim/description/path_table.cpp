#include "sim/description/path_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/error.hpp"

namespace longhaul {

PathTable::PathTable(std::vector<Path> paths) : between_(std::move(paths)) {
  const auto devices = static_cast<std::size_t>(std::llround(std::sqrt(between_.size())));
  inside_.resize(devices);
  path_class_.resize(devices);
  std::iota(path_class_.begin(), path_class_.end(), 0U);
  machine_ = path_class_;
  require(between_.size() == devices * devices, "a platform view needs one path per ordered pair");
}

PathTable::PathTable(std::vector<std::uint32_t> path_class, std::vector<std::uint32_t> machine,
                     std::vector<Path> between, std::vector<Path> inside)
    : path_class_(std::move(path_class)),
      machine_(std::move(machine)),
      between_(std::move(between)),
      inside_(std::move(inside)) {
  require(machine_.size() == path_class_.size(), "every device has a path class and a machine");
  require(between_.size() == inside_.size() * inside_.size(), "one path per ordered pair of classes");
  require(std::all_of(path_class_.begin(), path_class_.end(), [&](auto number) { return number < inside_.size(); }),
          "a device of a class that does not exist");
}

}  // namespace longhaul
