// A balanced partition of the devices into groups: which devices hold the same stage, before anything is said about
// the order of the stages or about who forms a pipeline with whom.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"

namespace longhaul {

/// Invariant: every group in [0, groups) has group_of_device.size() / groups devices.
struct Partition {
  std::size_t groups = 1;
  std::vector<std::uint32_t> group_of_device;

  std::size_t group_size() const { return group_of_device.size() / groups; }
};

inline bool operator==(const Partition& a, const Partition& b) {
  return a.groups == b.groups && a.group_of_device == b.group_of_device;
}

/// Devices dealt out in order: the first devices / groups of them to group 0, and so on. `groups` must divide
/// `devices`.
Partition consecutive_partition(std::size_t devices, std::size_t groups);

/// Every balanced partition equally likely.
Partition random_partition(std::size_t devices, std::size_t groups, RandomStream& random);

/// The same sets of devices, groups numbered by their lowest device.
Partition renumbered(const Partition& partition);

/// The devices group by group, ascending in each: group g is [g * group_size, (g + 1) * group_size). Throws
/// InternalError when the partition is not balanced.
std::vector<std::uint32_t> members_by_group(const Partition& partition);

/// Number of balanced partitions of `devices` into unnumbered groups, devices! / (size!^groups groups!), as a double
/// because it overflows integers soon.
double count_partitions(std::size_t devices, std::size_t groups);

}  // namespace longhaul
