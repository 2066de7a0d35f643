// From chunk to chunk along a pipeline: who sends activations to whom, and which part of them.
#pragma once

#include <vector>

#include "sim/workload/rank_layout.hpp"

namespace longhaul {

/// A rank that holds the neighbouring chunk, and what passes between the two: units / parts of the activations of a
/// micro-batch, since each rank of a stage holds its own share of them.
struct ChunkPeer {
  RankId rank;
  std::size_t chunk = 0;
  std::size_t units = 1;
  std::size_t parts = 1;

  Bytes of(Bytes activations) const { return activations * static_cast<double>(units) / static_cast<double>(parts); }
};

/// Chunk c of stage s comes after c x pipeline + s others: after the last stage's chunk follows the first stage's next one.
/// Between stages of as many ranks each sends to its counterpart; otherwise to all whose share overlaps with its own
/// (rank i of t holds the i-th of t equal shares).
class ChunkChain {
 public:
  ChunkChain(const Plan& plan, const RankLayout& layout);

  /// Where a chunk's results go; empty at the end of the model.
  const std::vector<ChunkPeer>& after(RankId rank, std::size_t chunk) const {
    return after_[rank.value * chunks_ + chunk];
  }
  /// Where the gradients of its inputs go; empty at the beginning of the model.
  const std::vector<ChunkPeer>& before(RankId rank, std::size_t chunk) const {
    return before_[rank.value * chunks_ + chunk];
  }

 private:
  std::size_t chunks_;  // of each stage
  std::vector<std::vector<ChunkPeer>> after_;
  std::vector<std::vector<ChunkPeer>> before_;
};

}  // namespace longhaul
