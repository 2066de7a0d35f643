#include "sim/workload/contested_links.hpp"

#include <algorithm>
#include <unordered_set>

#include "sim/description/shared_links.hpp"

namespace longhaul {
namespace {

std::uint64_t key_of(DeviceId from, DeviceId to) { return std::uint64_t{from.value} << 32 | to.value; }

// The pairs of devices between which something is sent.
std::vector<DevicePair> pairs_of(const TaskletGraph& graph) {
  std::unordered_set<std::uint64_t> known;
  std::vector<DevicePair> pairs;
  for (const Tasklet& task : graph.tasklets())
    if (holds_streams(task) && known.insert(key_of(task.device, task.target)).second)
      pairs.emplace_back(task.device, task.target);
  return pairs;
}

// By link: whether pairs of several senders and of several receivers cross it.
std::vector<bool> contested(const SharedLinks& links, const std::vector<DevicePair>& pairs) {
  constexpr std::size_t none = SIZE_MAX;
  std::vector<std::size_t> first(links.names.size(), none);
  std::vector<bool> senders(first.size(), false), receivers(first.size(), false);
  for (std::size_t pair = 0; pair < pairs.size(); ++pair)
    for (const std::uint32_t link : links.on_route[pair]) {
      if (first[link] == none) first[link] = pair;
      if (pairs[pair].first != pairs[first[link]].first) senders[link] = true;
      if (pairs[pair].second != pairs[first[link]].second) receivers[link] = true;
    }
  for (std::size_t link = 0; link < first.size(); ++link) senders[link] = senders[link] && receivers[link];
  return senders;
}

}  // namespace

ContestedLinks::ContestedLinks(const Platform& platform, const TaskletGraph& graph) {
  if (!may_have_shared_links(platform.xml)) return;
  const std::vector<DevicePair> pairs = pairs_of(graph);
  if (pairs.empty()) return;
  const SharedLinks links = shared_links(platform, pairs);
  const std::vector<bool> is_contested = contested(links, pairs);
  std::vector<std::uint32_t> number(links.names.size());
  for (std::size_t link = 0; link < number.size(); ++link) {
    if (!is_contested[link]) continue;
    number[link] = static_cast<std::uint32_t>(names_.size());
    names_.push_back(links.names[link]);
    bandwidths_.push_back(links.bandwidths[link]);
  }
  for (std::size_t pair = 0; pair < pairs.size(); ++pair)
    for (const std::uint32_t link : links.on_route[pair])
      if (is_contested[link]) routes_[key_of(pairs[pair].first, pairs[pair].second)].push_back(number[link]);
}

const std::vector<std::uint32_t>& ContestedLinks::on_route(const Tasklet& transfer) const {
  static const std::vector<std::uint32_t> none;
  const auto found = routes_.find(key_of(transfer.device, transfer.target));
  return found == routes_.end() ? none : found->second;
}

}  // namespace longhaul
