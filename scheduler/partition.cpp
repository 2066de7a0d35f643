#include "scheduler/partition.hpp"

#include "sim/base/error.hpp"

namespace longhaul {

Partition consecutive_partition(std::size_t devices, std::size_t groups) {
  require(groups > 0 && devices > 0 && devices % groups == 0,
          "the number of groups must divide the number of devices");
  Partition partition{groups, std::vector<std::uint32_t>(devices)};
  for (std::size_t device = 0; device < devices; ++device)
    partition.group_of_device[device] = static_cast<std::uint32_t>(device / (devices / groups));
  return partition;
}

Partition random_partition(std::size_t devices, std::size_t groups, RandomStream& random) {
  Partition partition = consecutive_partition(devices, groups);
  random.shuffle(partition.group_of_device);
  return partition;
}

Partition renumbered(const Partition& partition) {
  const auto unnumbered = static_cast<std::uint32_t>(partition.groups);
  std::vector<std::uint32_t> number(partition.groups, unnumbered);
  std::uint32_t next = 0;
  Partition result = partition;
  for (std::uint32_t& group : result.group_of_device) {
    if (number[group] == unnumbered) number[group] = next++;
    group = number[group];
  }
  return result;
}

std::vector<std::uint32_t> members_by_group(const Partition& partition) {
  const std::size_t size = partition.group_size();
  std::vector<std::uint32_t> members(partition.group_of_device.size());
  std::vector<std::size_t> filled(partition.groups, 0);
  for (std::size_t device = 0; device < members.size(); ++device) {
    const std::uint32_t group = partition.group_of_device[device];
    require(group < partition.groups && filled[group] < size, "a partition must be balanced");
    members[group * size + filled[group]++] = static_cast<std::uint32_t>(device);
  }
  return members;
}

double count_partitions(std::size_t devices, std::size_t groups) {
  require(groups > 0 && devices % groups == 0, "the number of groups must divide the number of devices");
  // The lowest free device opens a group and chooses its size - 1 companions among the devices still free.
  const std::size_t size = devices / groups;
  double count = 1;
  for (std::size_t free = devices; free > 0; free -= size)
    for (std::size_t chosen = 1; chosen < size; ++chosen)
      count = count * static_cast<double>(free - chosen) / static_cast<double>(chosen);
  return count;
}

}  // namespace longhaul
