// Text as a file that only this process sees, for libraries that read nothing but paths.
#pragma once

#include <string>
#include <string_view>

namespace longhaul {

/// Lives in memory (memfd); gone with the object.
class TemporaryFile {
 public:
  /// Throws InternalError when the system gives no such file.
  explicit TemporaryFile(std::string_view text);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  /// Readable within this process and its children.
  std::string path() const;

 private:
  int descriptor_;
};

}  // namespace longhaul
