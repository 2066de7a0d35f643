#include "sim/description/config.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include "sim/base/file.hpp"
#include "sim/base/utf8.hpp"
#include "sim/description/quantity.hpp"

namespace longhaul {

struct Config::Node {
  enum class Kind { scalar, list, map };

  Kind kind = Kind::scalar;
  Location where;
  std::string path;  // dotted key path from the top, for messages
  std::string scalar;
  std::vector<std::shared_ptr<Node>> list;
  std::vector<std::pair<std::string, std::shared_ptr<Node>>> map;  // in file order
  std::vector<Location> key_locations;                             // of the map's keys
  std::vector<std::string> asked;                                  // keys that the program wanted, found or not
  bool all_asked = false;
  bool left_to_others = false;

  const std::shared_ptr<Node>* lookup(std::string_view key) const {
    for (const auto& entry : map)
      if (entry.first == key) return &entry.second;
    return nullptr;
  }
  void ask(std::string_view key) {
    if (std::find(asked.begin(), asked.end(), key) == asked.end()) asked.emplace_back(key);
  }
};

namespace {

constexpr std::size_t largest_file = 4U << 20U;  // bytes
constexpr std::size_t most_values = 2'000'000;   // after aliases are expanded
constexpr int deepest_nesting = 64;

Location location_of(const YAML::Mark& mark, const std::string& file) {
  if (mark.is_null()) return {file, 1, 1};
  return {file, mark.line + 1, mark.column + 1};
}

bool is_asked(const std::vector<std::string>& asked, const std::string& key) {
  return std::find(asked.begin(), asked.end(), key) != asked.end();
}

}  // namespace

// Converts yaml-cpp's tree to ours: locations kept, duplicates rejected, size bounded (aliases can multiply).
template <class Node>
class TreeBuilder {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  std::shared_ptr<Node> build(const YAML::Node& yaml, const std::string& path, int depth) {
    const Location where = location_of(yaml.Mark(), file_);
    if (depth > deepest_nesting || ++values_ > most_values)
      throw UserError(where, "the file is nested too deeply or too large", "aliases are counted where they are used",
                      fmt::format("{} levels, {} values", deepest_nesting, most_values));
    auto node = std::make_shared<Node>();
    node->where = where;
    node->path = path;
    if (yaml.IsMap()) {
      node->kind = Node::Kind::map;
      std::unordered_set<std::string> seen;
      for (const auto& entry : yaml) {
        check_key(entry.first, seen);
        add_entry(*node, entry.first, entry.second, path, depth);
      }
    } else if (yaml.IsSequence()) {
      node->kind = Node::Kind::list;
      for (const auto& item : yaml)
        node->list.push_back(build(item, path + "[" + std::to_string(node->list.size()) + "]", depth + 1));
    } else if (yaml.IsScalar()) {
      node->scalar = yaml.Scalar();
    }
    return node;
  }

 private:
  void check_key(const YAML::Node& key, std::unordered_set<std::string>& seen) const {
    const Location where = location_of(key.Mark(), file_);
    if (!key.IsScalar()) throw UserError(where, "a key is not plain text", "", "key: value");
    if (!seen.insert(key.Scalar()).second)
      throw UserError(where, fmt::format("key '{}' appears twice", key.Scalar()), "the second would hide the first",
                      "each key once");
  }

  void add_entry(Node& node, const YAML::Node& key, const YAML::Node& value, const std::string& path, int depth) {
    const Location where = location_of(key.Mark(), file_);
    const std::string& name = key.Scalar();
    node.map.emplace_back(name, build(value, path.empty() ? name : path + "." + name, depth + 1));
    node.key_locations.push_back(where);
  }

  std::string file_;
  std::size_t values_ = 0;
};

Config Config::load(std::string_view text, const std::string& name, bool want_map) {
  std::vector<YAML::Node> documents;
  try {
    documents = YAML::LoadAll(std::string(text));
  } catch (const YAML::Exception& failure) {
    throw UserError(location_of(failure.mark, name), "the YAML cannot be read: " + failure.msg,
                    "the file may be cut off or mistyped", "YAML 1.2");
  }
  if (documents.empty() || documents[0].IsNull()) {
    if (!want_map) return of_text("", {name, 0, 0});
    throw UserError({name, 1, 1}, "the file is empty", "", "a YAML map");
  }
  if (documents.size() > 1)
    throw UserError(location_of(documents[1].Mark(), name), "a second YAML document starts here",
                    "only one would be read", "one document per file");
  Config config(TreeBuilder<Node>(name).build(documents[0], "", 0));
  if (want_map && !config.is_map())
    throw UserError(config.where(), "the top level is not a map", "", "lines of `key: value`");
  return config;
}

Config Config::read_file(const std::string& path) { return parse(read_text_file(path, largest_file), path); }

Config Config::parse(std::string_view text, const std::string& name) { return load(text, name, true); }

Config Config::of_text(const std::string& text, const Location& where) {
  auto node = std::make_shared<Node>();
  node->scalar = text;
  node->where = where;
  return Config(node);
}

const Location& Config::where() const { return node_->where; }
bool Config::is_map() const { return node_->kind == Node::Kind::map; }
bool Config::is_list() const { return node_->kind == Node::Kind::list; }
bool Config::is_nothing() const { return node_->kind == Node::Kind::scalar && node_->scalar.empty(); }

UserError Config::error(const std::string& what, const std::string& why, const std::string& accepted) const {
  return {node_->where, node_->path.empty() ? what : node_->path + ": " + what, why, accepted};
}

std::optional<Config> Config::find(std::string_view key) const {
  if (!is_map()) throw error("not a map", fmt::format("key '{}' is looked for in it", key), "key: value");
  node_->ask(key);
  const std::shared_ptr<Node>* found = node_->lookup(key);
  if (found == nullptr) return std::nullopt;
  return Config(*found);
}

Config Config::at(std::string_view key) const {
  std::optional<Config> found = find(key);
  if (!found) throw error(fmt::format("key '{}' is missing", key), "it has no default", fmt::format("{}: …", key));
  return *found;
}

std::vector<std::pair<std::string, Config>> Config::entries() const {
  if (!is_map()) throw error("not a map", "", "lines of `key: value`");
  node_->all_asked = true;
  std::vector<std::pair<std::string, Config>> result;
  for (const auto& [key, value] : node_->map) result.emplace_back(key, Config(value));
  return result;
}

std::vector<Config> Config::items() const {
  if (!is_list()) throw error("not a list", "", "[a, b, …] or lines that begin with `-`");
  std::vector<Config> result;
  for (const auto& item : node_->list) result.push_back(Config(item));
  return result;
}

const std::string& Config::scalar(const char* wanted) const {
  if (node_->kind != Node::Kind::scalar || node_->scalar.empty())
    throw error(node_->kind == Node::Kind::scalar ? "no value" : "a map or list where one value belongs", "", wanted);
  return node_->scalar;
}

std::string Config::text() const { return scalar("text"); }

std::int64_t Config::integer(std::int64_t least, std::int64_t most) const {
  const std::string accepted = fmt::format("a whole number from {} to {}", least, most);
  const std::string& digits = scalar(accepted.c_str());
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem == std::errc::invalid_argument || end != digits.data() + digits.size())
    throw error(fmt::format("'{}' is not a whole number", shortened(digits)), "", accepted);
  if (problem != std::errc() || value < least || value > most)
    throw error(fmt::format("{} is out of range", shortened(digits)), "", accepted);
  return value;
}

double Config::number(double least, double most) const {
  const std::string accepted = fmt::format("a number from {} to {}", least, most);
  const std::string& digits = scalar(accepted.c_str());
  double value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    throw error(fmt::format("'{}' is not a finite number", shortened(digits)), "", accepted);
  if (value < least || value > most) throw error(fmt::format("{} is out of range", shortened(digits)), "", accepted);
  return value;
}

bool Config::flag() const {
  const std::string& word = scalar("true or false");
  if (word != "true" && word != "false")
    throw error(fmt::format("'{}' is neither true nor false", shortened(word)), "", "true or false");
  return word == "true";
}

double Config::quantity(Dimension kind, Sign sign) const {
  const std::string& words = scalar(accepted_units(kind));
  const std::optional<double> value = parse_quantity(words, kind);
  if (!value && is_plain_number(words))
    throw error(fmt::format("'{}' has no unit", shortened(words)), "a number alone could mean anything",
                accepted_units(kind));
  if (!value)
    throw error(fmt::format("cannot read '{}'", shortened(words)), "not a finite number with a known unit",
                accepted_units(kind));
  if (*value < 0) throw error(fmt::format("'{}' is negative", shortened(words)), "", accepted_units(kind));
  if (*value == 0 && sign == Sign::positive)
    throw error(fmt::format("'{}' is zero", shortened(words)), "it must be positive", accepted_units(kind));
  const Range range = range_of(kind);
  if (*value > range.most || (*value<range.least&& * value> 0))
    throw error(fmt::format("'{}' is out of range", shortened(words)), "", range.words);
  return *value;
}

Seconds Config::duration(Sign sign) const { return Seconds(quantity(Dimension::duration, sign)); }
Bytes Config::bytes(Sign sign) const { return Bytes(quantity(Dimension::size, sign)); }
BytesPerSecond Config::bandwidth(Sign sign) const { return BytesPerSecond(quantity(Dimension::bandwidth, sign)); }
Flops Config::work(Sign sign) const { return Flops(quantity(Dimension::work, sign)); }
FlopsPerSecond Config::speed(Sign sign) const { return FlopsPerSecond(quantity(Dimension::speed, sign)); }
double Config::share(Sign sign) const { return quantity(Dimension::share, sign); }

Bytes Config::bytes_or_count(Sign sign) const {
  if (!is_plain_number(scalar(accepted_units(Dimension::size)))) return bytes(sign);
  return Bytes(number(sign == Sign::positive ? 1 : 0, range_of(Dimension::size).most));
}

std::string Config::choice(const std::vector<std::string>& names) const {
  const std::string accepted = fmt::format("{}", fmt::join(names, ", "));
  const std::string& word = scalar(accepted.c_str());
  if (std::find(names.begin(), names.end(), word) == names.end())
    throw error(fmt::format("'{}' is not known", shortened(word)), "", accepted);
  return word;
}

namespace {
constexpr const char* accepted_override = "key.subkey=value, as in job.layers=40";
}

void Config::override_with(const std::string& assignment) {
  check_utf8(assignment, "--set");
  const std::string origin = shortened("--set " + assignment);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UserError({origin, 0, 0}, "no key=value", "", accepted_override);
  put(std::string_view(assignment).substr(0, equals), load(assignment.substr(equals + 1), origin, false),
      {origin, 0, 0});
}

void Config::override_with_text(const std::string& dotted_key, const std::string& text, const std::string& origin) {
  check_utf8(text, dotted_key);
  const Location where{shortened(origin), 0, 0};
  put(dotted_key, of_text(text, where), where);
}

void Config::override_with_value(const std::string& dotted_key, const Config& value) {
  put(dotted_key, value.copy_at(dotted_key), value.where());
}

// Nothing has been asked of the copy yet.
Config Config::copy_at(const std::string& path) const {
  auto copy = std::make_shared<Node>(*node_);
  copy->path = path;
  copy->asked.clear();
  copy->all_asked = false;
  copy->left_to_others = false;
  for (std::size_t i = 0; i < copy->list.size(); ++i)
    copy->list[i] = Config(copy->list[i]).copy_at(path + "[" + std::to_string(i) + "]").node_;
  const std::string before = path + ".";
  for (auto& [key, value] : copy->map) value = Config(value).copy_at(before + key).node_;
  return Config(copy);
}

void Config::put(std::string_view dotted_key, const Config& value, const Location& origin) {
  std::shared_ptr<Node> node = node_;
  std::string path;
  while (true) {
    const std::size_t dot = dotted_key.find('.');
    const std::string key(dotted_key.substr(0, dot));
    std::shared_ptr<Node>* child = key.empty() ? nullptr : child_for(*node, key, value.where());
    if (child == nullptr)
      throw UserError(origin, fmt::format("'{}' has no '{}' to set", path, key), "", accepted_override);
    path += (path.empty() ? "" : ".") + key;
    (*child)->path = path;
    if (dot == std::string_view::npos) {
      value.node_->path = path;
      *child = value.node_;
      return;
    }
    node = *child;
    dotted_key.remove_prefix(dot + 1);
  }
}

std::shared_ptr<Config::Node>* Config::child_for(Node& node, const std::string& key, const Location& where) {
  if (node.kind == Node::Kind::list) {
    std::size_t index = 0;
    const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), index);
    const bool exists = problem == std::errc() && end == key.data() + key.size() && index < node.list.size();
    return exists ? &node.list[index] : nullptr;
  }
  if (node.kind != Node::Kind::map) return nullptr;
  for (auto& entry : node.map)
    if (entry.first == key) return &entry.second;
  auto created = std::make_shared<Node>();
  created->kind = Node::Kind::map;
  created->where = where;
  node.map.emplace_back(key, created);
  node.key_locations.push_back(where);
  return &node.map.back().second;
}

void Config::leave_to_others() const { node_->left_to_others = true; }

void Config::reject_unread() const {
  if (node_->left_to_others) return;
  if (is_list())
    for (const auto& item : node_->list) Config(item).reject_unread();
  if (!is_map()) return;
  for (std::size_t i = 0; i < node_->map.size(); ++i) {
    const auto& [key, value] = node_->map[i];
    if (!node_->all_asked && !is_asked(node_->asked, key))
      throw UserError(node_->key_locations[i],
                      fmt::format("unknown key '{}'{}", key, node_->path.empty() ? "" : " in " + node_->path),
                      "nothing reads it", fmt::format("{}", fmt::join(node_->asked, ", ")));
    Config(value).reject_unread();
  }
}

}  // namespace longhaul
