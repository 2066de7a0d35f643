// Whole files in and out. Nothing half-written is ever seen: output goes to a temporary name and is renamed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace longhaul {

/// The bytes of a file. Throws UserError when it cannot be read, is a directory, or is larger than `limit` bytes.
std::string read_text_file(const std::string& path, std::size_t limit);

/// Writes `text` to `path`, all or nothing. Throws UserError when that is impossible.
void write_text_file(const std::string& path, std::string_view text);

/// Creates a folder and its parents if missing. Throws UserError when that is impossible.
void make_folder(const std::string& path);

}  // namespace longhaul
