// Runs a function in a forked child and brings its answer back. SimGrid allows one engine per process and ends the
// process on bad input (facts measured with 3.32), so everything that touches it happens in a child.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace longhaul {

/// The child died without an answer: SimGrid's own assertion, an abort, a signal.
class ChildDied : public std::runtime_error {
 public:
  explicit ChildDied(const std::string& printed) : std::runtime_error(printed) {}
};

/// Calls `work` in a forked child and returns what it returned. A UserError thrown there is thrown here, any other
/// exception becomes an InternalError with its text. A child that dies throws ChildDied with what it printed on
/// standard output and standard error. The caller must have no threads.
std::string run_in_child(const std::function<std::string()>& work);

/// The same, once a reader polls: `progress` gets every number the child passes to report_progress.
std::string run_in_child(const std::function<std::string()>& work, const std::function<void(double)>& progress);

/// From inside a child: tells the parent how far the work is, in [0, 1].
void report_progress(double fraction);

}  // namespace longhaul
