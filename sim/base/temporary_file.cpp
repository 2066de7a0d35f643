#include "sim/base/temporary_file.hpp"

#include <cerrno>

#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/error.hpp"

namespace longhaul {

TemporaryFile::TemporaryFile(std::string_view text) : descriptor_(memfd_create("longhaul", 0)) {
  bool written = descriptor_ >= 0;
  while (written && !text.empty()) {
    const ssize_t count = write(descriptor_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      written = false;
    else
      text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (!written) {
    if (descriptor_ >= 0) close(descriptor_);
    throw InternalError("cannot make a file in memory");
  }
}

TemporaryFile::~TemporaryFile() { close(descriptor_); }

std::string TemporaryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

std::string TemporaryFile::text() const {
  std::string text;
  char block[65536];
  while (true) {
    const ssize_t count = pread(descriptor_, block, sizeof block, static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InternalError("cannot read a file in memory");
    if (count == 0) return text;
    text.append(block, static_cast<std::size_t>(count));
  }
}

}  // namespace longhaul
