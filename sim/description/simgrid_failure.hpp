// What SimGrid says when it gives up, in the words of our own errors.
#pragma once

#include <string>

#include "sim/base/child_process.hpp"
#include "sim/base/error.hpp"

namespace longhaul {

/// One UserError about `file` from the text of a SimGrid exception or from all that a dead child printed: the reason,
/// with the line of the file where SimGrid names one; no source places, log prefixes or backtraces.
UserError simgrid_failure(const std::string& file, const std::string& printed);
/// The same for a child; one that was killed from outside is no fault of the file.
UserError simgrid_failure(const std::string& file, const ChildDied& death);

}  // namespace longhaul
