// Studies and their rows as JSON, for results and for the journal of a sweep.
#pragma once

#include <string>

#include "analysis/study_results.hpp"

namespace longhaul {

/// A study without its overrides, on one line.
std::string study_line(const Study& study);
/// The study that study_line wrote. UserError at `where` if it is no such text.
Study study_of_line(const std::string& line, const Location& where);

/// A row, on one line.
std::string row_line(const Study& study, const StudyRow& row);
/// The row that row_line wrote. UserError at `where` if it is no such text or the study has no such point.
StudyRow row_of_line(const Study& study, const std::string& line, const Location& where);

}  // namespace longhaul
