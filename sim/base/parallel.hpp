// Many independent jobs on all processors, with results that do not depend on which job finished first.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace longhaul {

/// Processors that this process may use, at least 1.
std::size_t processor_count();

/// Calls work(0) to work(count - 1), each in a child process of its own (ChildProcess), at most `processes` at a
/// time, and returns their answers by index. If calls fail, the error of the smallest failing index is thrown, as the
/// child raised it; calls after it may never have begun. `progress`, if any, gets the share of calls that have ended.
/// `processes` must be positive; the caller must have no threads.
std::vector<std::string> parallel_map(std::size_t count, std::size_t processes,
                                      const std::function<std::string(std::size_t)>& work,
                                      const std::function<void(double)>& progress);

}  // namespace longhaul
