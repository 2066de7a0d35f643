// RunRecords read back from the JSON that sim/results/json.hpp writes.
#pragma once

#include <string>
#include <vector>

#include "sim/results/run_record.hpp"

namespace longhaul {

/// The record in a file as `run --json` prints it. UserError with file, line and column where it is no such thing.
RunRecord read_record(const std::string& path);

/// The records of an array as `compare --json` prints it, at least one.
std::vector<RunRecord> read_records(const std::string& path);

/// The text of a result file; at most 64 MiB.
std::string read_result_text(const std::string& path);

}  // namespace longhaul
