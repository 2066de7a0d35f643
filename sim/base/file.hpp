// Whole files in and out. Nothing half-written is ever seen: output goes to temporary names and is renamed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace longhaul {

/// The text of a file. Throws UserError when it cannot be read, is no regular file (a path to an open descriptor, such
/// as /dev/fd/3, may be anything), is larger than `limit` bytes, or is not UTF-8.
std::string read_text_file(const std::string& path, std::size_t limit);

/// Files that appear together, when all of them are complete.
class FileSet {
 public:
  FileSet() = default;
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;
  ~FileSet();  // removes what is not published

  /// Writes `text` under a temporary name beside `path`. Throws UserError when that is impossible.
  void add(const std::string& path, std::string_view text);
  /// Gives every file its name.
  void publish();

 private:
  std::vector<std::string> paths_;  // not published
};

/// Writes `text` to `path`, all or nothing. Throws UserError when that is impossible.
void write_text_file(const std::string& path, std::string_view text);

/// A folder that is there and can be written into. Throws UserError when that is impossible.
class Folder {
 public:
  /// Creates it and its parents if missing.
  explicit Folder(const std::string& path);
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();  // what was created and stayed empty goes again

 private:
  std::vector<std::string> created_;  // from the inside out
};

}  // namespace longhaul
