#include "sim/description/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace longhaul {
namespace {

struct Unit {
  Dimension dimension;
  std::string_view name;
  double factor;
};

constexpr double kibi = 1024;

constexpr std::array units{
    Unit{Dimension::duration, "s", 1},
    Unit{Dimension::duration, "ms", 1e-3},
    Unit{Dimension::duration, "us", 1e-6},
    Unit{Dimension::duration, "ns", 1e-9},
    Unit{Dimension::duration, "min", 60},
    Unit{Dimension::duration, "h", 3600},
    Unit{Dimension::size, "B", 1},
    Unit{Dimension::size, "kB", 1e3},
    Unit{Dimension::size, "MB", 1e6},
    Unit{Dimension::size, "GB", 1e9},
    Unit{Dimension::size, "TB", 1e12},
    Unit{Dimension::size, "KiB", kibi},
    Unit{Dimension::size, "MiB", kibi* kibi},
    Unit{Dimension::size, "GiB", kibi* kibi* kibi},
    Unit{Dimension::size, "TiB", kibi* kibi* kibi* kibi},
    Unit{Dimension::bandwidth, "bps", 1.0 / 8},
    Unit{Dimension::bandwidth, "kbps", 1e3 / 8},
    Unit{Dimension::bandwidth, "Mbps", 1e6 / 8},
    Unit{Dimension::bandwidth, "Gbps", 1e9 / 8},
    Unit{Dimension::bandwidth, "Tbps", 1e12 / 8},
    Unit{Dimension::bandwidth, "B/s", 1},
    Unit{Dimension::bandwidth, "kB/s", 1e3},
    Unit{Dimension::bandwidth, "MB/s", 1e6},
    Unit{Dimension::bandwidth, "GB/s", 1e9},
    Unit{Dimension::bandwidth, "GiB/s", kibi* kibi* kibi},
    Unit{Dimension::speed, "GFLOPS", 1e9},
    Unit{Dimension::speed, "TFLOPS", 1e12},
    Unit{Dimension::speed, "PFLOPS", 1e15},
    Unit{Dimension::work, "MFLOP", 1e6},
    Unit{Dimension::work, "GFLOP", 1e9},
    Unit{Dimension::work, "TFLOP", 1e12},
    Unit{Dimension::share, "%", 1e-2},
};

// The number at the start of `text`; `text` is left at what follows it.
std::optional<double> take_number(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return value;
}

}  // namespace

std::optional<double> parse_quantity(std::string_view text, Dimension dimension) {
  const std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.dimension != dimension || unit.name != text) continue;
    // Division keeps decimal inputs exact where multiplication by an inexact 1e-3 would not: 67 ms is 0.067 s.
    const double value = unit.factor < 1 ? *number / (1 / unit.factor) : *number * unit.factor;
    if (!std::isfinite(value)) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

Range range_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::duration:
      return {1e-12, 1e9, "from 1e-12 s to 1e9 s"};
    case Dimension::size:
      return {1, 1e18, "from 1 B to 1e18 B"};
    case Dimension::bandwidth:
      return {0.1, 1e18, "from 0.1 B/s to 1e18 B/s"};
    case Dimension::speed:
      return {1, 1e24, "from 1 FLOP/s to 1e24 FLOP/s"};
    case Dimension::work:
      return {1, 1e30, "from 1 FLOP to 1e30 FLOP"};
    case Dimension::share:
      return {1e-9, 1e6, "from 1e-7 % to 1e8 %"};
  }
  return {0, 0, ""};
}

const char* accepted_units(Dimension dimension) {
  switch (dimension) {
    case Dimension::duration:
      return "a number and one of s, ms, us, ns, min, h, as in 67 ms";
    case Dimension::size:
      return "a number and one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, as in 16 GB";
    case Dimension::bandwidth:
      return "a number and one of bps, kbps, Mbps, Gbps, Tbps, B/s, kB/s, MB/s, GB/s, GiB/s, as in 1.14 "
             "Gbps";
    case Dimension::speed:
      return "a number and one of GFLOPS, TFLOPS, PFLOPS, as in 125 TFLOPS";
    case Dimension::work:
      return "a number and one of MFLOP, GFLOP, TFLOP, as in 50 GFLOP";
    case Dimension::share:
      return "a number and %, as in 5 %";
  }
  return "";
}

bool is_plain_number(std::string_view text) { return take_number(text).has_value() && text.empty(); }

std::string shortest(double value) {
  const double magnitude = std::abs(value);
  if (value == 0 || (magnitude >= 1e-6 && magnitude < 1e15)) {
    std::string text = fmt::format("{}", value);
    if (text.find('e') != std::string::npos) {  // fmt prefers an exponent below 1e-4: spell it out
      for (int digits = 0; digits < 25; ++digits) {
        text = fmt::format("{:.{}f}", value, digits);
        if (std::stod(text) == value) break;
      }
    }
    if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
    return text;
  }
  return fmt::format("{}", value);
}

}  // namespace longhaul
