#include "sim/description/layer_profile.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/file.hpp"
#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

constexpr const char* columns =
    "model,sequence,precision,device_type,tensor,micro_batch,part,forward_s,backward_s,update_s,activation_bytes";
constexpr std::size_t column_count = 11;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char character : line) {
    if (character == ',')
      fields.emplace_back();
    else
      fields.back() += character;
  }
  return fields;
}

// A number that is finite and not negative.
double number(const std::string& field, const Location& where) {
  double value = 0;
  const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (problem != std::errc() || end != field.data() + field.size() || !std::isfinite(value) || value < 0)
    throw UserError(where, fmt::format("'{}' is no time or count", field), "", "a finite number, not negative");
  return value;
}

std::size_t count(const std::string& field, const Location& where) {
  const double value = number(field, where);
  if (value < 1 || value > 1e9 || value != std::floor(value))
    throw UserError(where, fmt::format("'{}' is no count", field), "", "1, 2, 3, …");
  return static_cast<std::size_t>(value);
}

ProfileSeries& series_of(const std::vector<std::string>& fields, const Location& where, LayerProfile& profile) {
  const std::size_t sequence = count(fields[1], where);
  for (ProfileSeries& series : profile.series)
    if (series.model == fields[0] && series.shape.sequence == static_cast<std::int64_t>(sequence) &&
        series.precision == fields[2] && series.device_type == fields[3])
      return series;
  if (fields[2] != "fp16" && fields[2] != "bf16" && fields[2] != "fp32")
    throw UserError(where, fmt::format("precision '{}' is not known", fields[2]), "", "fp16, bf16, fp32");
  ProfileSeries series{fields[0], find_model(fields[0], where), fields[2], fields[3], {}};
  series.shape.sequence = static_cast<std::int64_t>(sequence);
  profile.series.push_back(std::move(series));
  return profile.series.back();
}

void read_row(const std::string& line, const Location& where, LayerProfile& profile) {
  const std::vector<std::string> fields = split(line);
  if (fields.size() != column_count)
    throw UserError(where, fmt::format("{} fields", fields.size()), "the line may be cut off", columns);
  std::vector<ProfileEntry>& entries = series_of(fields, where, profile).entries;
  const std::size_t tensor = count(fields[4], where);
  const std::size_t micro_batch = count(fields[5], where);
  auto entry = std::find_if(entries.begin(), entries.end(), [&](const ProfileEntry& known) {
    return known.tensor == tensor && known.micro_batch == micro_batch;
  });
  if (entry == entries.end()) entry = entries.insert(entries.end(), {tensor, micro_batch, {}, {}, {}});
  PartTimes times{Seconds(number(fields[7], where)), Seconds(number(fields[8], where)), std::nullopt, std::nullopt};
  if (!fields[9].empty()) times.update = Seconds(number(fields[9], where));
  if (!fields[10].empty()) times.activations = Bytes(number(fields[10], where));
  if (fields[6] == "embedding")
    entry->embedding = times;
  else if (fields[6] == "layer")
    entry->layer = times;
  else if (fields[6] == "head")
    entry->head = times;
  else
    throw UserError(where, fmt::format("part '{}' is not known", fields[6]), "", "embedding, layer, head");
}

}  // namespace

LayerProfile find_layer_profile(const std::string& name, const Location& where) {
  LayerProfile profile;
  profile.name = name;
  profile.where = where;
  profile.device_types = device_types();
  const std::string file = data_file("scenarios/profiles", name, ".csv", where);
  const std::string text = read_text_file(file, 16U << 20U);
  bool header = false;
  int number_of_line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const Location here{file, ++number_of_line, 1};
    begin = end + 1;
    if (line.empty() || line[0] == '#') continue;
    if (header) {
      read_row(line, here, profile);
    } else if (line != columns) {
      throw UserError(here, "the columns are not those of a profile", "", columns);
    }
    header = true;
  }
  if (profile.series.empty()) throw UserError({file, 1, 1}, "the profile has no rows", "", columns);
  return profile;
}

}  // namespace longhaul
