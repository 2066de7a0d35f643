// Measurement tables: what links between regions were measured to carry, as published, with their source.
//
// A table (platforms/measurements/*.csv) is text: first comment lines `# key: value`, then the line
// `from,to,delay_ms,bandwidth_gbps`, then one row per measured pair, in the direction in which it was measured. Keys
// are source, licence, date, tool, delay_kind (required) and message_size, note (optional). No quoting, no empty
// lines; the file ends with a newline, so that a cut-off file is noticed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"

namespace longhaul {

/// One row. `delay` is what the table says: whether it was a round trip is in the header, how it is used is the
/// cluster description's decision (`delay_is`).
struct Measurement {
  std::string from;
  std::string to;
  Seconds delay;             // not negative
  BytesPerSecond bandwidth;  // positive
};

struct MeasurementTable {
  std::string file;  // for messages
  std::string source;
  std::string licence;
  std::string date;
  std::string tool;
  std::string delay_kind;    // such as "ping round trip"
  std::string message_size;  // empty = not stated
  std::string note;
  std::vector<Measurement> rows;  // in file order; no directed pair twice

  /// The row of that directed pair, or null.
  const Measurement* find(std::string_view from, std::string_view to) const;
  /// Whether any row starts or ends there.
  bool mentions(std::string_view region) const;
};

/// Whether `name` can name a region: letters, digits, `_`, `-`, `.`, a letter first.
bool is_region_name(std::string_view name);

/// Reads a table. UserError with file, line and column for anything that is not as described above, and for an empty
/// file, numbers that are NaN, infinite or negative, a bandwidth of zero, a pair that appears twice, a pair of a
/// region with itself.
MeasurementTable read_measurements(const std::string& path);
/// The same for text; `name` stands for the file in messages.
MeasurementTable parse_measurements(std::string_view text, const std::string& name);

}  // namespace longhaul
