// Identifiers that cannot be mixed up. Each counts from 0 within its own kind.
#pragma once

#include <cstddef>
#include <cstdint>

namespace longhaul {

template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t number) : value(static_cast<std::uint32_t>(number)) {}

  friend constexpr bool operator==(Id a, Id b) { return a.value == b.value; }
  friend constexpr bool operator!=(Id a, Id b) { return a.value != b.value; }
  friend constexpr bool operator<(Id a, Id b) { return a.value < b.value; }
};

using DeviceId = Id<struct DeviceTag>;        // one GPU of the platform, in the platform's order
using RankId = Id<struct RankTag>;            // one logical worker of the job
using TaskletId = Id<struct TaskletTag>;      // one computation or transfer
using Stage = Id<struct StageTag>;            // position along the pipeline
using Replica = Id<struct ReplicaTag>;        // position in the data-parallel direction
using MicroBatch = Id<struct MicroBatchTag>;  // micro-batch of one replica, counted through all passes

}  // namespace longhaul
