#include "sim/results/text_table.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// Characters, not bytes, of UTF-8 text.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string text_table(const std::vector<std::string>& header, const std::vector<Align>& alignment,
                       const std::vector<std::vector<std::string>>& rows) {
  require(header.size() == alignment.size(), "a table needs one alignment per column");
  std::vector<std::size_t> widths;
  for (const std::string& title : header) widths.push_back(width(title));
  for (const auto& row : rows) {
    require(row.size() == header.size(), "a table row needs one cell per column");
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], width(row[column]));
  }
  std::string text;
  const auto add = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - width(row[column]), ' ');
      line += (column == 0 ? "" : "  ") +
              (alignment[column] == Align::left ? row[column] + padding : padding + row[column]);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add(header);
  for (const auto& row : rows) add(row);
  return text;
}

}  // namespace longhaul
