#include "sim/description/layer_profile.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/file.hpp"
#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

constexpr const char* columns = "device_type,tensor,micro_batch,part,forward_s,backward_s,update_s";

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

void read_row(const std::string& line, const Location& where, std::vector<ProfileEntry>& entries) {
  const std::vector<std::string> fields = split(line);
  if (fields.size() != 7)
    throw UserError(where, fmt::format("{} fields", fields.size()), "the line may be cut off", columns);
  const auto tensor = static_cast<std::size_t>(number(fields[1], where));
  const auto micro_batch = static_cast<std::size_t>(number(fields[2], where));
  auto entry = std::find_if(entries.begin(), entries.end(), [&](const ProfileEntry& known) {
    return known.device_type == fields[0] && known.tensor == tensor && known.micro_batch == micro_batch;
  });
  if (entry == entries.end()) {
    entries.push_back({fields[0], tensor, micro_batch, {}, {}, {}});
    entry = entries.end() - 1;
  }
  const PartTimes times{Seconds(number(fields[4], where)), Seconds(number(fields[5], where)),
                        Seconds(number(fields[6], where))};
  if (fields[3] == "embedding")
    entry->embedding = times;
  else if (fields[3] == "layer")
    entry->layer = times;
  else if (fields[3] == "head")
    entry->head = times;
  else
    throw UserError(where, fmt::format("part '{}' is not known", fields[3]), "", "embedding, layer, head");
}

}  // namespace

const ProfileEntry& LayerProfile::entry(const std::string& device_type, std::size_t tensor,
                                        std::size_t micro_batch) const {
  std::vector<std::string> settings;
  for (const ProfileEntry& entry : entries) {
    if (entry.device_type == device_type && entry.tensor == tensor && entry.micro_batch == micro_batch) return entry;
    if (entry.device_type == device_type)
      settings.push_back(fmt::format("tensor {} micro_batch {}", entry.tensor, entry.micro_batch));
  }
  throw UserError(where,
                  fmt::format("profile '{}' has nothing for {} at tensor {} and micro_batch {}", name, device_type,
                              tensor, micro_batch),
                  settings.empty() ? "it was not measured on this device type" : "it was not measured there",
                  settings.empty() ? "a device type of the profile" : fmt::format("{}", fmt::join(settings, ", ")));
}

LayerProfile find_layer_profile(const std::string& name, const Location& where) {
  LayerProfile profile;
  profile.name = name;
  profile.where = where;
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
      read_row(line, here, profile.entries);
    } else if (line != columns) {
      throw UserError(here, "the columns are not those of a profile", "", columns);
    }
    header = true;
  }
  if (profile.entries.empty()) throw UserError({file, 1, 1}, "the profile has no rows", "", columns);
  return profile;
}

}  // namespace longhaul
