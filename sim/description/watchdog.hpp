// Ends a child process whose library call does not return.
#pragma once

#include <initializer_list>

namespace longhaul {

/// For use in a child of run_in_child, one at a time. Counts the processor time of this process, so that a busy
/// machine makes no difference; uses SIGVTALRM.
class Watchdog {
 public:
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// A step begins. If neither the next one begins nor the watchdog ends within some `seconds`, the words (at most
  /// six, kept by pointer) go to standard error and the process ends, for the parent to see ChildDied.
  void expect(int seconds, std::initializer_list<const char*> words);
};

}  // namespace longhaul
