// The two kinds of error. Nothing below sim/app exits, aborts or prints: it throws one of these.
#pragma once

#include <stdexcept>
#include <string>

namespace longhaul {

/// Where in the user's input something stands. Line and column count from 1; 0 = unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

/// The user's words in a message: at most some 80 bytes of them.
std::string shortened(const std::string& text);

/// The user's error: exit code 2, one line
/// `file:line:column: what is wrong (why); accepted: what would be accepted`.
class UserError : public std::runtime_error {
 public:
  /// `why` and `accepted` may be empty; the message then lacks that part.
  UserError(const Location& where, const std::string& what, const std::string& why, const std::string& accepted);
};

/// What std::bad_alloc means to a user.
UserError out_of_memory();

/// Our error, a broken contract between two parts of the program: exit code 70.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InternalError with `message` unless `condition` holds.
inline void require(bool condition, const char* message) {
  if (!condition) throw InternalError(message);
}

}  // namespace longhaul
