// A PlatformView as bytes, from the child that asked SimGrid to its parent.
#pragma once

#include <string>

#include "sim/description/platform_view.hpp"

namespace longhaul {

std::string bytes_of_view(const PlatformView& view);

/// InternalError where the bytes are too few.
PlatformView view_of_bytes(const std::string& bytes);

}  // namespace longhaul
