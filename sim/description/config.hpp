// The strict configuration reader. It knows where everything stands, remembers which keys were asked for, rejects the
// unread ones, and wants a unit on every dimensional value.
//
// Every failing call throws UserError with the location of the value.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace longhaul {

enum class Dimension;

/// Which numbers a quantity may be.
enum class Sign { positive, not_negative };

/// A handle on one value of a YAML file; copies share the value.
class Config {
 public:
  /// Reads a YAML file whose top level is a map. Rejects missing, empty, truncated and oversized files, duplicate
  /// keys and documents after the first.
  static Config read_file(const std::string& path);
  /// The same for text; `name` stands for the file in messages.
  static Config parse(std::string_view text, const std::string& name);
  /// A single value that stands at `where`, taken literally.
  static Config of_text(const std::string& text, const Location& where);

  const Location& where() const;
  bool is_map() const;
  bool is_list() const;
  /// `~`, `null`, or nothing at all.
  bool is_nothing() const;

  /// The value of a key that must be there / may be missing. Both count as asked for.
  Config at(std::string_view key) const;
  std::optional<Config> find(std::string_view key) const;
  /// The entries of a map whose keys are free, in file order; all count as asked for.
  std::vector<std::pair<std::string, Config>> entries() const;
  /// The items of a list.
  std::vector<Config> items() const;

  std::string text() const;  // not empty
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  double number(double least, double most) const;
  bool flag() const;  // true or false
  Seconds duration(Sign sign = Sign::not_negative) const;
  Bytes bytes(Sign sign = Sign::positive) const;
  /// For keys whose name ends in `_bytes`: a plain number counts bytes, any size with a unit is accepted too.
  Bytes bytes_or_count(Sign sign = Sign::positive) const;
  BytesPerSecond bandwidth(Sign sign = Sign::positive) const;
  Flops work(Sign sign = Sign::not_negative) const;
  FlopsPerSecond speed(Sign sign = Sign::positive) const;
  /// Written in percent: `5 %` is 0.05.
  double share(Sign sign = Sign::not_negative) const;
  /// One of `names`; the message lists them.
  std::string choice(const std::vector<std::string>& names) const;

  /// Sets `dotted.key=value` as if it stood in the file; maps on the way are created. `value` is YAML.
  void override_with(const std::string& assignment);
  /// The same for a value that is taken literally; `origin` stands for it in messages.
  void override_with_text(const std::string& dotted_key, const std::string& text, const std::string& origin);
  /// The same for a value of another file; a copy is taken, errors name the place in that file.
  void override_with_value(const std::string& dotted_key, const Config& value);

  /// What stands in this value is somebody else's to read: reject_unread passes it by. (Copies are read anew.)
  void leave_to_others() const;
  /// Throws for the first key in file order that nobody asked for; the message lists those that were.
  void reject_unread() const;

  /// A UserError at this value.
  UserError error(const std::string& what, const std::string& why, const std::string& accepted) const;

 private:
  struct Node;
  explicit Config(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  double quantity(Dimension dimension, Sign sign) const;
  const std::string& scalar(const char* wanted) const;
  void put(std::string_view dotted_key, const Config& value, const Location& origin);
  Config copy_at(const std::string& path) const;
  static std::shared_ptr<Node>* child_for(Node& node, const std::string& key, const Location& where);
  static Config load(std::string_view text, const std::string& name, bool want_map);

  std::shared_ptr<Node> node_;
};

}  // namespace longhaul
