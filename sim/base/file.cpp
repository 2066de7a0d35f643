#include "sim/base/file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/base/utf8.hpp"

namespace longhaul {
namespace {

namespace fs = std::filesystem;

std::string temporary_name(const std::string& path) { return path + ".part" + std::to_string(getpid()); }

UserError cannot_write(const std::string& path, const std::string& why) {
  return {{path, 0, 0}, "cannot write the file", why, "a writable place with room"};
}

// Opening anything but a regular file may wait for ever. What is open already, as in `run <(make_scenario)`, may not.
void check_readable_kind(const std::string& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (fs::is_directory(status))
    throw UserError({path, 0, 0}, "this is a folder", "a file is read here", "a path to a file");
  const bool is_open_already =
      path.rfind("/proc/self/fd/", 0) == 0 || path.rfind("/dev/fd/", 0) == 0 || path == "/dev/stdin";
  if (fs::exists(status) && !fs::is_regular_file(status) && !is_open_already)
    throw UserError({path, 0, 0}, "this is not a regular file", "", "a path to a file");
}

}  // namespace

std::string read_text_file(const std::string& path, std::size_t limit) {
  check_readable_kind(path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw UserError({path, 0, 0}, "cannot open the file", std::strerror(errno), "a readable file");
  std::string text;
  char block[1 << 16];
  while (stream.read(block, sizeof block) || stream.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > limit)
      throw UserError({path, 0, 0}, "the file is too large", "", "at most " + std::to_string(limit) + " bytes");
  }
  if (stream.bad()) throw UserError({path, 0, 0}, "cannot read the file", std::strerror(errno), "a readable file");
  check_utf8(text, path);
  return text;
}

FileSet::~FileSet() {
  for (const std::string& path : paths_) std::remove(temporary_name(path).c_str());
}

void FileSet::add(const std::string& path, std::string_view text) {
  if (fs::is_directory(path)) throw cannot_write(path, "a folder has that name");
  paths_.push_back(path);
  std::ofstream stream(temporary_name(path), std::ios::binary | std::ios::trunc);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) throw cannot_write(path, std::strerror(errno));
}

void FileSet::publish() {
  while (!paths_.empty()) {
    std::error_code problem;
    fs::rename(temporary_name(paths_.back()), paths_.back(), problem);
    if (problem) throw cannot_write(paths_.back(), problem.message());
    paths_.pop_back();
  }
}

void write_text_file(const std::string& path, std::string_view text) {
  FileSet files;
  files.add(path, text);
  files.publish();
}

Folder::Folder(const std::string& path) {
  std::error_code problem;
  for (fs::path missing = path; !missing.empty() && !fs::exists(missing, problem); missing = missing.parent_path())
    created_.push_back(missing);
  fs::create_directories(path, problem);
  const bool is_there = !problem && fs::is_directory(path, problem);
  if (!is_there || access(path.c_str(), W_OK | X_OK) != 0) {
    std::string why = problem ? problem.message() : is_there ? std::strerror(errno) : "a file has that name";
    throw UserError({path, 0, 0}, is_there ? "cannot write into the folder" : "cannot create the folder", why,
                    "a writable place");
  }
}

Folder::~Folder() {
  std::error_code not_empty;
  for (const std::string& folder : created_) fs::remove(folder, not_empty);
}

}  // namespace longhaul
