#include "sim/base/random.hpp"

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// FNV-1a of the purpose, folded into the seed: distinct purposes give unrelated streams.
std::uint64_t mix(std::uint64_t seed, std::string_view purpose) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char character : purpose) hash = (hash ^ static_cast<unsigned char>(character)) * 1099511628211ULL;
  return hash ^ (seed * 0x9E3779B97F4A7C15ULL);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose) : engine_(mix(seed, purpose)) {}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  require(bound > 0, "RandomStream::below needs a positive bound");
  const std::uint64_t unfair = (0 - bound) % bound;  // the first 2^64 mod bound values would be drawn too often
  std::uint64_t draw = engine_();
  while (draw < unfair) draw = engine_();
  return draw % bound;
}

}  // namespace longhaul
