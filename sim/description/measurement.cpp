#include "sim/description/measurement.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/file.hpp"
#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

constexpr std::size_t largest_file = 16U << 20U;  // bytes
constexpr std::string_view columns = "from,to,delay_ms,bandwidth_gbps";
constexpr std::size_t column_count = 4;

struct HeaderKey {
  const char* name;
  std::string MeasurementTable::*field;
  bool required;
};

constexpr std::array header_keys{
    HeaderKey{"source", &MeasurementTable::source, true},
    HeaderKey{"licence", &MeasurementTable::licence, true},
    HeaderKey{"date", &MeasurementTable::date, true},
    HeaderKey{"tool", &MeasurementTable::tool, true},
    HeaderKey{"delay_kind", &MeasurementTable::delay_kind, true},
    HeaderKey{"message_size", &MeasurementTable::message_size, false},
    HeaderKey{"note", &MeasurementTable::note, false},
};

std::string accepted_keys() {
  std::vector<std::string> names;
  names.reserve(header_keys.size());
  for (const HeaderKey& key : header_keys) names.emplace_back(key.name);
  return fmt::format("`# key: value` with one of {}", fmt::join(names, ", "));
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A piece of the file and where it starts.
struct Piece {
  std::string_view text;
  Location where;
};

// Hands out the lines of a table one by one.
class Lines {
 public:
  Lines(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  Location where() const { return {file_, number_, 1}; }

  std::optional<Piece> next() {
    ++number_;
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos)
      throw UserError({file_, number_, static_cast<int>(rest_.size()) + 1}, "the last line is cut off",
                      "the file does not end with a newline", "complete lines");
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return Piece{line, where()};
  }

 private:
  std::string_view rest_;
  std::string file_;
  int number_ = 0;
};

std::vector<Piece> fields_of(const Piece& line) {
  std::vector<Piece> fields;
  std::size_t start = 0;
  while (true) {
    const std::size_t comma = std::min(line.text.find(',', start), line.text.size());
    Location where = line.where;
    where.column = static_cast<int>(start) + 1;
    fields.push_back({line.text.substr(start, comma - start), where});
    if (comma == line.text.size()) return fields;
    start = comma + 1;
  }
}

void read_header_line(const Piece& line, MeasurementTable& table) {
  const std::size_t colon = line.text.find(": ");
  if (line.text.substr(0, 2) != "# " || colon == std::string_view::npos || colon + 2 == line.text.size())
    throw UserError(line.where, fmt::format("'{}' is not a header line", line.text),
                    "it should say where the table comes from", accepted_keys());
  const std::string_view name = line.text.substr(2, colon - 2);
  const auto key =
      std::find_if(header_keys.begin(), header_keys.end(), [&](const HeaderKey& k) { return k.name == name; });
  if (key == header_keys.end())
    throw UserError(line.where, fmt::format("unknown header key '{}'", name), "nothing reads it", accepted_keys());
  std::string& value = table.*key->field;
  if (!value.empty())
    throw UserError(line.where, fmt::format("header key '{}' appears twice", name), "the second would hide the first",
                    "each key once");
  value = line.text.substr(colon + 2);
}

std::string read_region(const Piece& field) {
  if (!is_region_name(field.text))
    throw UserError(field.where, fmt::format("'{}' cannot name a region", field.text), "",
                    "letters, digits, _, - and ., a letter first");
  return std::string(field.text);
}

// `unit` is the unit of the column, and the number alone stands in the field.
double read_number(const Piece& field, const char* unit, Dimension dimension, const char* column) {
  const std::string accepted =
      fmt::format("a finite number of {}, as in {}", unit, dimension == Dimension::duration ? "67" : "0.79");
  std::optional<double> value;
  const bool spaced = field.text.find(' ') != std::string_view::npos;
  if (!spaced && is_plain_number(field.text)) value = parse_quantity(std::string(field.text) + unit, dimension);
  if (!value) throw UserError(field.where, fmt::format("{} '{}' is not a number", column, field.text), "", accepted);
  if (*value < 0) throw UserError(field.where, fmt::format("{} '{}' is negative", column, field.text), "", accepted);
  const Range range = range_of(dimension);
  if (*value > range.most || (*value<range.least&& * value> 0))
    throw UserError(field.where, fmt::format("{} '{}' is out of range", column, field.text), "", range.words);
  return *value;
}

Measurement read_row(const Piece& line) {
  const std::vector<Piece> fields = fields_of(line);
  if (fields.size() != column_count)
    throw UserError(line.where, fmt::format("{} fields", fields.size()), fmt::format("a row has {}", column_count),
                    fmt::format("{}", columns));
  Measurement row;
  row.from = read_region(fields[0]);
  row.to = read_region(fields[1]);
  if (row.from == row.to)
    throw UserError(fields[1].where, fmt::format("from and to are both '{}'", row.to), "a link joins two regions",
                    "two different regions; links inside a region belong into the cluster description");
  row.delay = Seconds(read_number(fields[2], "ms", Dimension::duration, "delay_ms"));
  row.bandwidth = BytesPerSecond(read_number(fields[3], "Gbps", Dimension::bandwidth, "bandwidth_gbps"));
  if (!(row.bandwidth.value > 0))
    throw UserError(fields[3].where, fmt::format("bandwidth_gbps '{}' is zero", fields[3].text),
                    "nothing would ever arrive", "a positive number of Gbps");
  return row;
}

}  // namespace

const Measurement* MeasurementTable::find(std::string_view from, std::string_view to) const {
  for (const Measurement& row : rows)
    if (row.from == from && row.to == to) return &row;
  return nullptr;
}

bool MeasurementTable::mentions(std::string_view region) const {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Measurement& row) { return row.from == region || row.to == region; });
}

bool is_region_name(std::string_view name) {
  const auto allowed = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; };
  return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), allowed);
}

MeasurementTable parse_measurements(std::string_view text, const std::string& name) {
  if (text.empty()) throw UserError({name, 1, 1}, "the file is empty", "", "a measurement table");
  MeasurementTable table;
  table.file = name;
  Lines lines(text, name);
  std::optional<Piece> line = lines.next();
  for (; line && line->text.substr(0, 1) == "#"; line = lines.next()) read_header_line(*line, table);
  if (!line || line->text != columns)
    throw UserError(lines.where(),
                    line ? fmt::format("the columns are '{}'", line->text) : "the line of columns is missing",
                    "units stand in the column names", fmt::format("{}", columns));
  for (const HeaderKey& key : header_keys)
    if (key.required && (table.*key.field).empty())
      throw UserError(lines.where(), fmt::format("header key '{}' is missing", key.name),
                      "a figure without its source is worth nothing",
                      fmt::format("a line `# {}: …` above", key.name));
  for (line = lines.next(); line; line = lines.next()) {
    Measurement row = read_row(*line);
    if (table.find(row.from, row.to) != nullptr)
      throw UserError(line->where, fmt::format("the pair {},{} appears twice", row.from, row.to),
                      "which of the two would count?", "each directed pair once");
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) throw UserError(lines.where(), "the table has no rows", "", "at least one measured pair");
  return table;
}

MeasurementTable read_measurements(const std::string& path) {
  return parse_measurements(read_text_file(path, largest_file), path);
}

}  // namespace longhaul
