// Reading and writing dimensional values as people write them: `67 ms`, `1.14 Gbps`, `0.65 GiB`, `125 TFLOPS`.
// Decimal prefixes are powers of 1000, Ki/Mi/Gi/Ti powers of 1024; `bps` counts bits, `B` and `B/s` bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace longhaul {

enum class Dimension { duration, size, bandwidth, speed, work, share };

/// The value in SI base units (s, B, B/s, FLOP/s; a share of 5 % is 0.05), or nothing if `text` is not a finite
/// number followed by a unit of that dimension.
std::optional<double> parse_quantity(std::string_view text, Dimension dimension);

/// The positive values in base units that make sense: what lies outside is a slip of the pen, and would end in sums
/// that are not finite.
struct Range {
  double least;
  double most;
  const char* words;  // for error messages: "from 1 ps to 1e9 s"
};
Range range_of(Dimension dimension);

/// What parse_quantity accepts, for error messages: "a number and one of s, ms, us, ns, min, h, as in 67 ms".
const char* accepted_units(Dimension dimension);

/// Whether `text` is a number without unit (to tell a missing unit from a wrong one).
bool is_plain_number(std::string_view text);

/// The shortest decimal text that reads back as the same double, without exponent for everyday magnitudes.
std::string shortest(double value);

}  // namespace longhaul
