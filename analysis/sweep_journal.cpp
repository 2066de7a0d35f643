#include "analysis/sweep_journal.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "analysis/study_json.hpp"
#include "sim/base/file.hpp"

namespace longhaul {
namespace {

constexpr std::size_t most_bytes = 2'000'000'000;

struct Journal {
  std::string fingerprint;
  std::string study;  // its line
  std::vector<std::pair<std::string, Location>> rows;
  std::size_t complete = 0;  // bytes up to the last line break
};

// The first line is the fingerprint and the study, a space between them.
std::string first_line(const std::string& fingerprint, const std::string& study) { return fingerprint + " " + study; }

Journal read_journal(const std::string& path) {
  const std::string text = read_text_file(path, most_bytes);
  Journal journal;
  int number = 0;
  while (true) {
    const std::size_t end = text.find('\n', journal.complete);
    if (end == std::string::npos) return journal;
    const std::string line = text.substr(journal.complete, end - journal.complete);
    ++number;
    if (number == 1) {
      const std::size_t space = line.find(' ');
      if (space == std::string::npos)
        throw UserError({path, 1, 1}, "this is no journal of a sweep", "", "a file that `longhaul sweep` wrote");
      journal.fingerprint = line.substr(0, space);
      journal.study = line.substr(space + 1);
    } else {
      journal.rows.emplace_back(line, Location{path, number, 1});
    }
    journal.complete = end + 1;
  }
}

UserError cannot_write(const std::string& path) {
  return {{path, 0, 0}, "cannot write the journal", std::strerror(errno), "a writable place with room"};
}

// Puts the journal's rows among `rows`, which has an entry per point.
void place_rows(const Study& study, const Journal& journal, std::vector<std::optional<StudyRow>>& rows) {
  for (const auto& [line, where] : journal.rows) {
    StudyRow row = row_of_line(study, line, where);
    if (row.point >= rows.size())
      throw UserError(where, fmt::format("there is no point {}", row.point),
                      fmt::format("the study has {} points", rows.size()), "a file that `longhaul sweep` wrote");
    std::optional<StudyRow>& place = rows[row.point];
    if (place && row_line(study, *place) != line)
      throw UserError(where, fmt::format("point {} has another result elsewhere", row.point),
                      "one of them is not of this program or machine", "journals that agree");
    place = std::move(row);
  }
}

}  // namespace

std::string journal_name(const Shard& shard) {
  return shard.of == 1 ? "points.jsonl" : fmt::format("points-{}-of-{}.jsonl", shard.number, shard.of);
}

SweepJournal::SweepJournal(std::string path, const Study& study, const std::string& fingerprint, Start start)
    : path_(std::move(path)), study_(study), rows_(points_of(study).size()) {
  const bool there = std::filesystem::exists(path_);
  if (there && start == Start::anew)
    throw UserError({path_, 0, 0}, "a sweep has begun here already", "its rows would be lost",
                    "--resume to go on from it, or another folder");
  Journal journal;
  if (there) journal = read_journal(path_);
  if (!journal.fingerprint.empty() && journal.fingerprint != fingerprint)
    throw UserError({path_, 1, 1}, "these are results of something else",
                    "the study, its scenario, its platform or the program has changed",
                    "--resume after no change, or another folder");
  place_rows(study, journal, rows_);
  file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(journal.complete)) != 0) throw cannot_write(path_);
  if (journal.complete == 0) write(first_line(fingerprint, study_line(study)));
}

SweepJournal::~SweepJournal() {
  if (file_ >= 0) close(file_);
}

void SweepJournal::add(const StudyRow& row) { write(row_line(study_, row)); }

void SweepJournal::write(const std::string& line) const {
  const std::string text = line + "\n";
  if (::write(file_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) throw cannot_write(path_);
}

StudyResults merge_journals(const std::vector<std::string>& paths) {
  StudyResults results;
  std::string first;
  std::vector<std::optional<StudyRow>> rows;
  for (const std::string& path : paths) {
    const Journal journal = read_journal(path);
    const std::string line = first_line(journal.fingerprint, journal.study);
    if (first.empty()) {
      first = line;
      results.study = study_of_line(journal.study, {path, 1, 1});
      rows.resize(points_of(results.study).size());
    }
    if (line != first)
      throw UserError({path, 1, 1}, "another study than in " + paths.front(),
                      "or its scenario, its platform or the program has changed between them",
                      "journals of one study");
    place_rows(results.study, journal, rows);
  }
  std::size_t missing = 0;
  std::size_t first_missing = 0;
  for (std::size_t i = rows.size(); i-- > 0;)
    if (!rows[i]) {
      ++missing;
      first_missing = i;
    }
  if (missing > 0)
    throw UserError({},
                    fmt::format("{} of {} points are missing, point {} first", missing, rows.size(), first_missing),
                    "a shard is missing or was stopped", "all shards; go on with a stopped one by --resume");
  for (std::optional<StudyRow>& row : rows) results.rows.push_back(std::move(*row));
  return results;
}

}  // namespace longhaul
