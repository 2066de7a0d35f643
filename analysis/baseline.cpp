#include "analysis/baseline.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "sim/base/file.hpp"
#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

constexpr std::size_t largest_file = 64U << 20U;  // bytes

// The offset of a line and column that count from 1; npos beyond the end.
std::size_t offset_of(const std::string& text, const Location& where) {
  std::size_t start = 0;
  for (int line = 1; line < where.line; ++line) {
    start = text.find('\n', start);
    if (start == std::string::npos) return start;
    ++start;
  }
  const std::size_t offset = start + static_cast<std::size_t>(where.column - 1);
  return offset < text.size() ? offset : std::string::npos;
}

struct Replacement {
  std::size_t offset;
  std::size_t length;
  std::string text;
};

Replacement replacement_of(const std::string& text, const BaselineChange& change) {
  const std::size_t offset = offset_of(text, change.where);
  double number = 0;
  const char* const begin = text.data() + std::min(offset, text.size());
  const auto [end, problem] = std::from_chars(begin, text.data() + text.size(), number);
  if (offset == std::string::npos || problem != std::errc() || number != change.before)
    throw UserError(change.where, fmt::format("the recorded value {} does not stand here as it is", change.before),
                    "it cannot be replaced in place", "a plain number, without quotes or anchor");
  return {offset, static_cast<std::size_t>(end - begin), shortest(change.after)};
}

}  // namespace

std::vector<BaselineChange> baseline_changes(const Regression& regression) {
  std::vector<BaselineChange> changes;
  bool any = false;
  for (const SuiteResult& result : regression.suites) {
    if (result.suite.group != SuiteGroup::baseline) continue;
    any = true;
    for (std::size_t i = 0; i < result.cases.size(); ++i) {
      const CaseResult& one = result.cases[i];
      const Location& where = result.suite.cases[i].recorded_where;
      if (one.simulated == one.recorded) continue;
      if (!(one.simulated > 0))
        throw UserError(where, fmt::format("case '{}' gives {}", one.label, one.simulated),
                        "recorded values are positive", "a metric that is positive here");
      changes.push_back({result.suite.name, one.label, where, one.recorded, one.simulated});
    }
  }
  if (!any)
    throw UserError({"--record", 0, 0}, "none of the suites is a baseline",
                    "values that were measured elsewhere are not ours to change", "suites with group: baseline");
  return changes;
}

std::string report_of(const std::vector<BaselineChange>& changes) {
  if (changes.empty()) return "record: no baseline changes\n";
  std::string text;
  for (const BaselineChange& change : changes)
    text += fmt::format("record: {}: {}: {} -> {}\n", change.suite, change.label, shortest(change.before),
                        shortest(change.after));
  return text;
}

std::string with_changes(const std::string& text, const std::vector<BaselineChange>& changes) {
  std::vector<Replacement> replacements;
  for (const BaselineChange& change : changes) {
    Replacement replacement = replacement_of(text, change);
    for (const Replacement& other : replacements)
      if (other.offset == replacement.offset)
        throw UserError(change.where, "several cases share this recorded value", "each needs a value of its own",
                        "a number in every row");
    replacements.push_back(std::move(replacement));
  }
  std::sort(replacements.begin(), replacements.end(),
            [](const Replacement& a, const Replacement& b) { return a.offset > b.offset; });
  std::string changed = text;
  for (const Replacement& one : replacements) changed.replace(one.offset, one.length, one.text);
  return changed;
}

void write_baselines(const std::vector<BaselineChange>& changes) {
  std::vector<std::pair<std::string, std::string>> files;
  for (std::size_t first = 0; first < changes.size();) {
    const std::string& file = changes[first].where.file;
    std::vector<BaselineChange> own;
    while (first < changes.size() && changes[first].where.file == file) own.push_back(changes[first++]);
    files.emplace_back(file, with_changes(read_text_file(file, largest_file), own));
  }
  for (const auto& [file, text] : files) write_text_file(file, text);
}

}  // namespace longhaul
