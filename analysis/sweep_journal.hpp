// The journal of a sweep: complete rows, each written as soon as its point is through. What was killed goes on from it,
// and what was spread over machines is joined from several.
//
// A text file: a line that says which study this is, then a line per row in the order of finishing. A last line without
// line break is one that a kill cut off.
#pragma once

#include <string>
#include <vector>

#include "analysis/study_results.hpp"

namespace longhaul {

/// Some of the points: those whose index is `number` - 1 modulo `of`.
struct Shard {
  std::size_t number = 1;  // 1 to of
  std::size_t of = 1;

  bool has(std::size_t point) const { return point % of == number - 1; }
};

/// File name of a shard's journal: "points.jsonl", "points-2-of-8.jsonl".
std::string journal_name(const Shard& shard);

class SweepJournal {
 public:
  enum class Start { anew, resume };

  /// `fingerprint` stands for all that results depend on. `anew` creates the file; UserError if it is there.
  /// `resume` goes on from the file, which may be missing, and drops a line that is cut off; UserError if its fingerprint is
  /// another one.
  SweepJournal(std::string path, const Study& study, const std::string& fingerprint, Start start);
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;
  ~SweepJournal();

  /// Rows that were there already, by point.
  const std::vector<std::optional<StudyRow>>& rows() const { return rows_; }
  /// Appends a row, in one piece. UserError if that fails.
  void add(const StudyRow& row);

 private:
  void write(const std::string& line) const;

  std::string path_;
  const Study& study_;
  std::vector<std::optional<StudyRow>> rows_;
  int file_ = -1;
};

/// Joins the journals of a study. UserError if they are of different studies, if they differ about a point, or if points are
/// missing.
StudyResults merge_journals(const std::vector<std::string>& paths);

}  // namespace longhaul
