// Compression that depends on how far data goes.
#pragma once

#include <array>

#include "sim/description/reach.hpp"
#include "sim/workload/compression.hpp"

namespace longhaul {

/// A compression for each reach of a path. An activation message is compressed as its own path says; the gradients of a
/// group, which a collective passes on from member to member, as the widest reach between its members says.
class PathCompression {
 public:
  PathCompression() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): one compression everywhere is the usual case
  PathCompression(const Compression& everywhere) : by_reach_{everywhere, everywhere, everywhere} {}
  explicit PathCompression(std::array<Compression, 3> by_reach) : by_reach_(std::move(by_reach)) {}

  const Compression& over(Reach reach) const { return by_reach_[static_cast<std::size_t>(reach)]; }
  bool compresses(Reach reach) const { return over(reach).method != "none"; }
  bool is_uniform() const { return by_reach_[0] == by_reach_[1] && by_reach_[1] == by_reach_[2]; }

  friend bool operator==(const PathCompression& a, const PathCompression& b) { return a.by_reach_ == b.by_reach_; }

 private:
  std::array<Compression, 3> by_reach_;
};

/// Bytes of a tensor on the wire for each reach.
std::array<Bytes, 3> compressed_bytes(const PathCompression& compression, Bytes tensor, double value_bytes);
/// `int8`, or `none inside_machine, int8 between_regions, …` where it depends; empty where nothing is compressed.
std::string words_of(const PathCompression& compression);

}  // namespace longhaul
