// Which devices of a large platform have the same paths, and whom to ask about them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/description/platform_view.hpp"

namespace longhaul {

/// Devices by their number.
struct PathClasses {
  struct Members {
    std::size_t first = 0;
    std::optional<std::size_t> elsewhere;                               // stands in another machine than the first
    std::optional<std::pair<std::size_t, std::size_t>> in_one_machine;  // two of them
  };

  std::vector<std::uint32_t> path_class;  // per device
  std::vector<std::uint32_t> machine;     // per device
  std::vector<Members> members;           // per class
};

/// Classes by the names that the platform `file` gives them, one per device. UserError where the devices of a machine are of
/// different classes.
PathClasses classify(const std::vector<Device>& devices, const std::vector<std::string>& class_names,
                     const std::string& file);

}  // namespace longhaul
