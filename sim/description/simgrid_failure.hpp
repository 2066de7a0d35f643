// What SimGrid says when it gives up, in the words of our own errors.
#pragma once

#include <string>

#include "sim/base/error.hpp"

namespace longhaul {

/// One UserError about `file` from the text of a SimGrid exception or from all that a dead child printed: the reason,
/// with the line of the file where SimGrid names one; no source places, log prefixes or backtraces.
UserError simgrid_failure(const std::string& file, const std::string& printed);

}  // namespace longhaul
