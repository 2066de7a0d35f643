#include "sim/base/file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "sim/base/error.hpp"

namespace longhaul {

std::string read_text_file(const std::string& path, std::size_t limit) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem))
    throw UserError({path, 0, 0}, "this is a folder", "a file is read here", "a path to a file");
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
  return text;
}

void write_text_file(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".part" + std::to_string(getpid());
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  std::error_code problem;
  if (stream) std::filesystem::rename(temporary, path, problem);
  if (!stream || problem) {
    const std::string why = problem ? problem.message() : std::strerror(errno);
    std::remove(temporary.c_str());
    throw UserError({path, 0, 0}, "cannot write the file", why, "a writable place with room");
  }
}

void make_folder(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(path, problem);
  if (problem || !std::filesystem::is_directory(path))
    throw UserError({path, 0, 0}, "cannot create the folder", problem ? problem.message() : "a file has that name",
                    "a writable place");
}

}  // namespace longhaul
