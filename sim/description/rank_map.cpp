#include "sim/description/rank_map.hpp"

#include <cctype>
#include <limits>

#include <fmt/format.h>

#include "sim/base/file.hpp"

namespace longhaul {
namespace {

constexpr const char* accepted =
    "each of the ranks 0 to n - 1 once, as integers separated by white space or as a JSON array";

class RankMapReader {
 public:
  explicit RankMapReader(const std::string& path) : text_(read_text_file(path, 1U << 20U)), where_{path, 1, 1} {}

  std::vector<RankId> read() {
    skip_space();
    const bool json = peek() == '[';
    if (json) advance();
    while (true) {
      skip_space();
      if (json && peek() == ']') break;
      if (at_end()) break;
      if (json && !ranks_.empty()) expect(',');
      read_rank();
    }
    if (json) expect(']');
    skip_space();
    if (!at_end()) fail(fmt::format("'{}' is left over after the array", peek()));
    if (ranks_.empty()) fail("there are no ranks");
    return ranks_;
  }

 private:
  bool at_end() const { return next_ >= text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[next_]; }
  void advance() {
    if (text_[next_++] == '\n') {
      ++where_.line;
      where_.column = 1;
    } else {
      ++where_.column;
    }
  }
  void skip_space() {
    while (!at_end() && std::isspace(static_cast<unsigned char>(peek())) != 0) advance();
  }
  void expect(char wanted) {
    skip_space();
    if (peek() != wanted)
      fail(at_end() ? fmt::format("the file ends where '{}' belongs", wanted)
                    : fmt::format("'{}' stands where '{}' belongs", peek(), wanted));
    advance();
    skip_space();
  }
  void read_rank() {
    const Location start = where_;
    std::uint64_t value = 0;
    std::size_t digits = 0;
    for (; std::isdigit(static_cast<unsigned char>(peek())) != 0; advance(), ++digits)
      value = value > 100'000'000 ? value : value * 10 + static_cast<std::uint64_t>(peek() - '0');
    const bool ends =
        at_end() || std::isspace(static_cast<unsigned char>(peek())) != 0 || peek() == ',' || peek() == ']';
    if (digits == 0 || !ends)
      fail(at_end() ? "the file ends where a rank belongs" : fmt::format("'{}' is not a digit of a rank", peek()));
    if (value >= 100'000'000) throw UserError(start, "the rank is too large", "", accepted);
    ranks_.emplace_back(value);
  }
  [[noreturn]] void fail(const std::string& what) const { throw UserError(where_, what, "", accepted); }

  std::string text_;
  std::size_t next_ = 0;
  Location where_;
  std::vector<RankId> ranks_;
};

}  // namespace

std::vector<RankId> read_rank_map(const std::string& path) {
  std::vector<RankId> ranks = RankMapReader(path).read();
  check_permutation(ranks, {path, 1, 1});
  return ranks;
}

void check_permutation(const std::vector<RankId>& ranks, const Location& where) {
  std::vector<bool> seen(ranks.size(), false);
  for (std::size_t device = 0; device < ranks.size(); ++device) {
    const std::size_t rank = ranks[device].value;
    if (rank >= ranks.size())
      throw UserError(where, fmt::format("device {} gets rank {}", device, rank),
                      fmt::format("there are only {} devices", ranks.size()), accepted);
    if (seen[rank])
      throw UserError(where, fmt::format("rank {} stands twice", rank), "no two devices run one rank", accepted);
    seen[rank] = true;
  }
}

}  // namespace longhaul
