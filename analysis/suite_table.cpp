#include "analysis/suite_table.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace longhaul {
namespace {

const std::vector<std::string> special_columns{"case", "recorded", "tolerance", "scenario"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_override(const std::string& column) { return !contains(special_columns, column); }

std::string text_of(const Config& value) {
  if (value.is_nothing()) return "~";
  if (value.is_map()) return "{…}";
  if (!value.is_list()) return value.text();
  std::vector<std::string> texts;
  for (const Config& item : value.items()) texts.push_back(text_of(item));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

void check_override_value(const Config& value) {
  if (value.is_map()) throw value.error("a map where one value belongs", "", "a value, or a list of values");
}

// `layers` for job.layers, unless another column ends like that.
std::string short_name(const std::string& column, const std::vector<std::string>& columns) {
  const auto last = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
  const auto same = std::count_if(columns.begin(), columns.end(),
                                  [&](const std::string& other) { return last(other) == last(column); });
  return same > 1 ? column : last(column);
}

std::vector<std::string> read_columns(const Config& config, const SuiteDefaults& defaults) {
  std::vector<std::string> columns;
  for (const Config& item : config.items()) {
    const std::string name = item.text();
    if (contains(columns, name))
      throw item.error(fmt::format("column '{}' appears twice", name), "", "each column once");
    if (is_override(name)) check_override_key(name, item, special_columns);
    for (const Override& fixed : defaults.set)
      if (fixed.key == name)
        throw item.error(fmt::format("'{}' is a column and stands under set too", name),
                         "it is not clear which value holds", "one of the two");
    columns.push_back(name);
  }
  if (!contains(columns, "recorded"))
    throw config.error("there is no column 'recorded'", "nothing to compare with", "[…, recorded]");
  if (!defaults.scenario && !contains(columns, "scenario"))
    throw config.error("no scenario", "nothing says what is run", "scenario: FILE or NAME, or a column 'scenario'");
  return columns;
}

class Row {
 public:
  Row(const Config& row, const std::vector<std::string>& columns) : cells_(row.items()), columns_(columns) {
    if (cells_.size() != columns.size())
      throw row.error(fmt::format("{} values for {} columns", cells_.size(), columns.size()), "",
                      fmt::format("[{}]", fmt::join(columns, ", ")));
  }

  // Nothing where there is no such column or no value in it.
  std::optional<Config> find(const std::string& column) const {
    const auto at = std::find(columns_.begin(), columns_.end(), column);
    if (at == columns_.end()) return std::nullopt;
    const Config& cell = cells_[static_cast<std::size_t>(at - columns_.begin())];
    return cell.is_nothing() ? std::nullopt : std::optional<Config>(cell);
  }

  std::vector<Override> overrides() const {
    std::vector<Override> result;
    for (const std::string& column : columns_) {
      const std::optional<Config> cell = is_override(column) ? find(column) : std::nullopt;
      if (!cell) continue;
      check_override_value(*cell);
      if (cell->is_list()) cell->leave_to_others();  // its items may be maps, which the scenario's reader checks
      result.push_back({column, *cell});
    }
    return result;
  }

  // What tells cases apart, without the column `but`; of paths only the file's name with `Paths::short_ones`.
  enum class Paths { whole, short_ones };
  std::string description(const std::string& but, Paths paths) const {
    std::string text;
    for (const std::string& column : columns_) {
      const std::optional<Config> cell = find(column);
      const bool tells = is_override(column) || column == "scenario";
      if (!cell || !tells || column == but) continue;
      std::string value = text_of(*cell);
      if (paths == Paths::short_ones && value.find('/') != std::string::npos)
        value = std::filesystem::path(value).stem().string();
      text += (text.empty() ? "" : " ") + (column == "scenario" ? "" : short_name(column, columns_) + "=") + value;
    }
    return text;
  }

 private:
  std::vector<Config> cells_;
  const std::vector<std::string>& columns_;
};

Config value_for(const Config& key, const Row& row, const SuiteDefaults& defaults) {
  const std::string name = key.text();
  if (const std::optional<Config> cell = row.find(name)) return *cell;
  for (const Override& fixed : defaults.set)
    if (fixed.key == name) return fixed.value;
  if (name == "scenario" && defaults.scenario) return *defaults.scenario;
  throw key.error(fmt::format("nothing gives '{}' a value in some case", name),
                  "it stands neither in a column nor under set", "a key that every case sets");
}

SuiteCase read_case(const Row& row, const Config& where, const SuiteDefaults& defaults) {
  SuiteCase result;
  const std::optional<Config> scenario = row.find("scenario") ? row.find("scenario") : defaults.scenario;
  if (!scenario) throw where.error("no scenario in this case", "", "FILE or NAME in column 'scenario'");
  result.scenario = scenario_named(*scenario, defaults.file);
  result.overrides = defaults.set;
  for (Override& own : row.overrides()) result.overrides.push_back(std::move(own));
  const std::optional<Config> recorded = row.find("recorded");
  if (!recorded) throw where.error("no recorded value in this case", "nothing to compare with", "a positive number");
  result.recorded = recorded->number(1e-30, 1e30);
  result.recorded_where = recorded->where();
  const std::optional<Config> tolerance = row.find("tolerance");
  result.tolerance = tolerance ? tolerance->share() : defaults.tolerance;
  const std::optional<Config> label = row.find("case");
  result.label = label ? label->text() : row.description("", Row::Paths::short_ones);
  if (result.label.empty()) result.label = std::filesystem::path(result.scenario).stem().string();
  if (defaults.slope_over) {
    const std::string over = defaults.slope_over->text();
    const std::optional<Config> position = row.find(over);
    if (!position)
      throw where.error(fmt::format("no value of '{}' in this case", over), "slope_over needs it", "a number");
    result.position = position->number(-1e30, 1e30);
    result.line = row.description(over, Row::Paths::whole);
  }
  for (const Config& key : defaults.ranked_by)
    result.compared_for += fmt::format("{}{}={}", result.compared_for.empty() ? "" : " ", key.text(),
                                       text_of(value_for(key, row, defaults)));
  return result;
}

}  // namespace

std::vector<SuiteCase> read_cases(const Config& columns, const Config& rows, const SuiteDefaults& defaults) {
  const std::vector<std::string> names = read_columns(columns, defaults);
  if (defaults.slope_over &&
      (!is_override(defaults.slope_over->text()) || !contains(names, defaults.slope_over->text())))
    throw defaults.slope_over->error(fmt::format("'{}' is not a column of overrides", defaults.slope_over->text()),
                                     "", fmt::format("{}", fmt::join(names, ", ")));
  std::vector<SuiteCase> cases;
  for (const Override& fixed : defaults.set) check_override_value(fixed.value);
  for (const Config& item : rows.items()) cases.push_back(read_case(Row(item, names), item, defaults));
  if (cases.empty()) throw rows.error("no cases", "", "at least one row");
  return cases;
}

}  // namespace longhaul
