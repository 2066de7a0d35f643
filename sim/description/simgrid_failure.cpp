#include "sim/description/simgrid_failure.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <csignal>
#include <string_view>

namespace longhaul {
namespace {

constexpr std::size_t longest_reason = 240;  // characters; SimGrid adds paragraphs of advice
constexpr std::string_view accepted = "a platform file of SimGrid's format 4.1, every two hosts joined by a route";

void remove_all(std::string& text, std::string_view piece) {
  for (std::size_t at = 0; (at = text.find(piece)) != std::string::npos;) text.erase(at, piece.size());
}

// Removes `opening` up to and including `closing`.
void remove_between(std::string& text, std::string_view opening, std::string_view closing) {
  for (std::size_t start = 0; (start = text.find(opening)) != std::string::npos;) {
    const std::size_t end = text.find(closing, start);
    text.erase(start, end == std::string::npos ? std::string::npos : end + closing.size() - start);
  }
}

std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
  return line;
}

// Takes "Parse error at PATH:LINE: " off the front of the reason and returns the line, 0 if it is not there.
int take_line(std::string& reason) {
  constexpr std::string_view opening = "Parse error at ";
  const std::size_t start = reason.find(opening);
  if (start == std::string::npos) return 0;
  const std::size_t end = reason.find(": ", start);
  if (end == std::string::npos) return 0;
  const std::size_t colon = reason.rfind(':', end - 1);
  int line = 0;
  if (colon != std::string::npos) std::from_chars(reason.data() + colon + 1, reason.data() + end, line);
  reason.erase(0, end + 2);
  return line;
}

}  // namespace

UserError simgrid_failure(const std::string& file, const std::string& printed) {
  std::string reason = printed;
  const std::size_t critical =
      reason.find("/CRITICAL] ");  // a failed assertion: what stands before are mere warnings
  if (critical != std::string::npos) reason.erase(0, reason.find(' ', critical) + 1);
  reason.erase(std::min(reason.find("Backtrace ("), reason.size()));
  const int line = take_line(reason);
  remove_between(reason, "Use simgrid_update_xml", "directory.");
  remove_between(reason, " (XML input line", ")");
  remove_all(reason, "*");
  if (reason.find("Flex returned an error code") != std::string::npos) reason = "text after the end of the platform";
  reason = one_line(reason);
  if (reason.empty() || reason.find("egmentation fault") != std::string::npos)
    reason = "SimGrid crashed on it (a file without zone, a host without links or a route given twice do that)";
  if (reason.size() > longest_reason) reason = reason.substr(0, longest_reason) + "…";
  return {{file, line, line > 0 ? 1 : 0}, "not a usable platform: " + reason, "", std::string(accepted)};
}

UserError simgrid_failure(const std::string& file, const ChildDied& death) {
  const std::string printed = death.what();
  if (printed.empty() && death.signal() == SIGKILL)
    return {{}, "the simulation was killed", "the memory may have run out", "a smaller job, or more memory"};
  return simgrid_failure(file, printed);
}

}  // namespace longhaul
