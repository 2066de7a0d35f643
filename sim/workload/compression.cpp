#include "sim/workload/compression.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/description/quantity.hpp"

namespace longhaul {
namespace {

constexpr double block = 256;      // values that share a scale
constexpr double scale_bytes = 4;  // fp32
constexpr double index_bytes = 4;
constexpr const char* top_k_prefix = "top_k:";

double as_they_are(double values, double value_bytes, double /*kept*/) { return values * value_bytes; }
double in_two_bytes(double values, double /*value_bytes*/, double /*kept*/) { return values * 2; }
double scales(double values) { return std::ceil(values / block) * scale_bytes; }
double in_eight_bits(double values, double /*value_bytes*/, double /*kept*/) { return values + scales(values); }
double in_four_bits(double values, double /*value_bytes*/, double /*kept*/) {
  return std::ceil(values / 2) + scales(values);
}
double largest_only(double values, double value_bytes, double kept) {
  return std::ceil(values * kept) * (value_bytes + index_bytes);
}

}  // namespace

const std::vector<CompressionMethod>& compression_methods() {
  static const std::vector<CompressionMethod> table{
      {"none", "values as they are", as_they_are},
      {"fp16", "two bytes a value", in_two_bytes},
      {"bf16", "two bytes a value", in_two_bytes},
      {"int8", "a byte a value and an fp32 scale for each 256", in_eight_bits},
      {"int4", "half a byte a value and an fp32 scale for each 256", in_four_bits},
      {"top_k", "the largest values only, each with a 32-bit index; written top_k:SHARE, as in top_k:1 %",
       largest_only},
  };
  return table;
}

const CompressionMethod* find_compression_method(const std::string& name) {
  for (const CompressionMethod& method : compression_methods())
    if (name == method.name) return &method;
  return nullptr;
}

Compression parse_compression(const std::string& text, const std::string& key, const Location& where) {
  const std::string prefix = top_k_prefix;
  if (text.rfind(prefix, 0) == 0) {
    const std::optional<double> share = parse_quantity(text.substr(prefix.size()), Dimension::share);
    if (!share || *share <= 0 || *share > 1)
      throw UserError(where, fmt::format("{}: '{}' keeps no share of the values", key, shortened(text)), "",
                      "top_k: and more than 0 % up to 100 %, as in top_k:1 %");
    return {"top_k", *share};
  }
  if (text != "top_k" && find_compression_method(text) != nullptr) return {text, 1};
  std::vector<std::string> names;
  for (const CompressionMethod& method : compression_methods())
    names.emplace_back(method.name == std::string("top_k") ? "top_k:SHARE" : method.name);
  throw UserError(where, fmt::format("{}: '{}' is not known", key, shortened(text)), "",
                  fmt::format("{}", fmt::join(names, ", ")));
}

std::string text_of(const Compression& compression) {
  if (compression.method != "top_k") return compression.method;
  return top_k_prefix + shortest(compression.kept * 100) + " %";
}

Bytes compressed_bytes(const Compression& compression, Bytes tensor, double value_bytes) {
  const CompressionMethod* method = find_compression_method(compression.method);
  require(method != nullptr, "the plan names no compression method");
  if (compression.method == "none") return tensor;
  return std::min(tensor, Bytes(method->bytes(tensor.value / value_bytes, value_bytes, compression.kept)));
}

}  // namespace longhaul
