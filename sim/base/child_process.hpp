// Runs a function in a forked child and brings its answer back. SimGrid allows one engine per process and ends the
// process on bad input (facts measured with 3.32), so everything that touches it happens in a child.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace longhaul {

/// The child died without an answer: SimGrid's own assertion, an abort, a signal. Says what it printed on standard
/// output and standard error.
class ChildDied : public std::runtime_error {
 public:
  ChildDied(const std::string& printed, int signal) : std::runtime_error(printed), signal_(signal) {}
  /// That ended it; 0 = it ended itself.
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// A child at work. It dies with its parent. The caller must have no threads.
class ChildProcess {
 public:
  /// Forks, and calls `work` in the child.
  explicit ChildProcess(const std::function<std::string()>& work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // kills the child if it is still at work

  /// Becomes readable when `receive` has something to take.
  int descriptor() const { return answers_; }
  /// Waits for the child's next message and takes it: `progress`, if any, gets every number that the child passes to
  /// report_progress. False once there will be no more.
  bool receive(const std::function<void(double)>& progress);
  /// Once receive answered false: what `work` returned. A UserError thrown there is thrown here, any other exception
  /// becomes an InternalError with its text. A child that died throws ChildDied.
  std::string answer();

 private:
  int wait_for_end();  // its status

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> printed_;
  int answers_ = -1;
  int process_ = -1;
  char kind_ = 0;  // of the last message; 0 = the child ended without one
  std::string body_;
};

/// Calls `work` in a forked child and returns what it returned, errors as in ChildProcess::answer.
std::string run_in_child(const std::function<std::string()>& work);

/// The same; `progress`, if any, gets every number that the child passes to report_progress.
std::string run_in_child(const std::function<std::string()>& work, const std::function<void(double)>& progress);

/// From inside a child: tells the parent how far the work is, in [0, 1].
void report_progress(double fraction);

}  // namespace longhaul
