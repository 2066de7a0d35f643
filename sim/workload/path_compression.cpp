#include "sim/workload/path_compression.hpp"

#include <fmt/format.h>

namespace longhaul {

std::array<Bytes, 3> compressed_bytes(const PathCompression& compression, Bytes tensor, double value_bytes) {
  std::array<Bytes, 3> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = compressed_bytes(compression.over(static_cast<Reach>(i)), tensor, value_bytes);
  return bytes;
}

std::string words_of(const PathCompression& compression) {
  const Compression& nearest = compression.over(Reach::inside_machine);
  if (compression.is_uniform()) return nearest.method == "none" ? "" : text_of(nearest);
  std::string words;
  for (std::size_t i = 0; i < reach_names.size(); ++i)
    words +=
        fmt::format("{}{} {}", i == 0 ? "" : ", ", text_of(compression.over(static_cast<Reach>(i))), reach_names[i]);
  return words;
}

}  // namespace longhaul
