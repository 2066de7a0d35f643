#include "sim/workload/chunk_chain.hpp"

#include <algorithm>
#include <numeric>

namespace longhaul {
namespace {

// Those of another stage, of `others` ranks, that share something with `slice` of `slices`.
std::vector<ChunkPeer> overlapping(std::size_t slice, std::size_t slices, RankId first, std::size_t others,
                                   std::size_t chunk) {
  std::vector<ChunkPeer> peers;
  for (std::size_t other = slice * others / slices; other < others && other * slices < (slice + 1) * others;
       ++other) {
    // In units of 1 / (slices x others).
    const std::size_t begin = std::max(slice * others, other * slices);
    const std::size_t end = std::min((slice + 1) * others, (other + 1) * slices);
    const std::size_t common = std::gcd(end - begin, slices * others);
    peers.push_back({RankId(first.value + other), chunk, (end - begin) / common, slices * others / common});
  }
  return peers;
}

}  // namespace

ChunkChain::ChunkChain(const Plan& plan, const RankLayout& layout)
    : chunks_(plan.virtual_stages), after_(layout.ranks() * chunks_), before_(after_.size()) {
  for (std::size_t number = 0; number < layout.ranks(); ++number) {
    const RankId rank(number);
    const Replica replica = layout.replica(rank);
    const Stage stage = layout.stage(rank);
    const std::size_t stages = layout.stages(replica);
    const std::size_t members = layout.ranks_of_stage(replica, stage);
    const auto peers = [&](std::size_t other, std::size_t chunk) {
      return overlapping(layout.member(rank), members, layout.rank(replica, Stage(other)),
                         layout.ranks_of_stage(replica, Stage(other)), chunk);
    };
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
      const std::size_t place = number * chunks_ + chunk;
      if (stage.value + 1 < stages)
        after_[place] = peers(stage.value + 1, chunk);
      else if (chunk + 1 < chunks_)
        after_[place] = peers(0, chunk + 1);
      if (stage.value > 0)
        before_[place] = peers(stage.value - 1, chunk);
      else if (chunk > 0)
        before_[place] = peers(stages - 1, chunk - 1);
    }
  }
}

}  // namespace longhaul
