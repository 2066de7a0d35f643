#include "sim/app/output.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "sim/base/error.hpp"

namespace longhaul {

void prepare_streams() {
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  int descriptor = 0;
  do descriptor = open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);  // the lowest that is free
  if (descriptor > STDERR_FILENO) close(descriptor);
}

void print_text(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0 ||
      std::ferror(stdout) != 0)
    throw UserError({}, "cannot write to standard output", std::strerror(errno), "a place with room, or a reader");
}

void print_error(std::string message) {
  for (char& character : message)
    if (static_cast<unsigned char>(character) < ' ') character = ' ';
  std::fputs((message + "\n").c_str(), stderr);
}

}  // namespace longhaul
