// Many independent jobs on all processors, with results that do not depend on which job finished first.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace longhaul {

/// Processors that this process may use, at least 1.
std::size_t processor_count();

/// Calls work(i) for each i of `indices`, each in a child process of its own (ChildProcess), at most `processes` at a
/// time, begun in that order, and hands each answer to `take` as it comes. If calls fail, nothing after the one that stands
/// first is begun, and once all that run have ended its error is thrown, as the child raised it. `processes` must be positive;
/// the caller must have no threads.
void parallel_for_each(const std::vector<std::size_t>& indices, std::size_t processes,
                       const std::function<std::string(std::size_t)>& work,
                       const std::function<void(std::size_t index, std::string answer)>& take);

/// Calls work(0) to work(count - 1) like parallel_for_each and returns their answers by index. `progress`, if any, gets the
/// share of calls that have ended.
std::vector<std::string> parallel_map(std::size_t count, std::size_t processes,
                                      const std::function<std::string(std::size_t)>& work,
                                      const std::function<void(double)>& progress);

}  // namespace longhaul
