// Text as a file that only this process and its children see, for those that read or write nothing but paths.
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
  /// What it holds now: a child may have written into it.
  std::string text() const;

 private:
  int descriptor_;
};

}  // namespace longhaul
