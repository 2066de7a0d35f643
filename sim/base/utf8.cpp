#include "sim/base/utf8.hpp"

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// Length of the character that `text` begins with, 0 if it is none: no overlong forms, no surrogates, none past U+10FFFF.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  const unsigned second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !continues(1)) return 0;
  if (first < 0xE0) return 2;
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || !continues(2)) return 0;
  if (first < 0xF0) return 3;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) || !continues(3)) return 0;
  return 4;
}

}  // namespace

void check_utf8(std::string_view text, const std::string& file) {
  Location where{file, 1, 1};
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) throw UserError(where, "this is not UTF-8", "the text may be in another encoding", "UTF-8");
    if (text.front() == '\n') {
      ++where.line;
      where.column = 1;
    } else {
      ++where.column;
    }
    text.remove_prefix(length);
  }
}

}  // namespace longhaul
