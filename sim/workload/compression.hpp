// Compression of what is sent, with exact byte counts.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace longhaul {

/// How a tensor is compressed before it is sent.
struct Compression {
  std::string method = "none";  // name in the table of compression methods
  double kept = 1;              // share of the values that top_k keeps, in (0, 1]

  friend bool operator==(const Compression& a, const Compression& b) {
    return a.method == b.method && a.kept == b.kept;
  }
};

/// A method is a byte count with a name. Adding one: a function, a line in the table of compression.cpp.
struct CompressionMethod {
  const char* name;
  const char* summary;  // one line for `longhaul list compressions`
  double (*bytes)(double values, double value_bytes, double kept);
};

const std::vector<CompressionMethod>& compression_methods();

/// The method with that name, or null.
const CompressionMethod* find_compression_method(const std::string& name);

/// `none`, `int8`, …, `top_k:1 %`. UserError at `where`, `key` being the name of the setting.
Compression parse_compression(const std::string& text, const std::string& key, const Location& where);
/// The inverse.
std::string text_of(const Compression& compression);

/// Bytes of a tensor on the wire, never more than uncompressed. With n = its values of v bytes: fp16 and bf16 2 n; int8
/// n + 4 ceil(n / 256), int4 ceil(n / 2) + 4 ceil(n / 256), an fp32 scale for each block of 256 values; top_k
/// ceil(kept n) (v + 4), a 32-bit index with each value that is kept.
Bytes compressed_bytes(const Compression& compression, Bytes tensor, double value_bytes);

}  // namespace longhaul
