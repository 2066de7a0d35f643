#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// At most `limit` bytes, cut between characters.
std::string cut(const std::string& text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while ((static_cast<unsigned char>(text[limit]) & 0xC0U) == 0x80U) --limit;
  return text.substr(0, limit) + "…";
}

std::string one_line(const Location& where, const std::string& what, const std::string& why,
                     const std::string& accepted) {
  std::string line = where.file;
  if (where.line > 0) line += ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  if (!line.empty()) line += ": ";
  line += cut(what, 400);
  if (!why.empty()) line += " (" + why + ")";
  if (!accepted.empty()) line += "; accepted: " + accepted;
  for (char& character : line)
    if (static_cast<unsigned char>(character) < ' ') character = ' ';
  return line;
}

}  // namespace

std::string shortened(const std::string& text) { return cut(text, 80); }

UserError::UserError(const Location& where, const std::string& what, const std::string& why,
                     const std::string& accepted)
    : std::runtime_error(one_line(where, what, why, accepted)) {}

UserError out_of_memory() { return {{}, "out of memory", "", "a smaller job, or a machine with more memory"}; }

}  // namespace longhaul
