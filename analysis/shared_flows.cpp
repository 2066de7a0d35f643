#include "analysis/shared_flows.hpp"

#include <algorithm>
#include <limits>

namespace longhaul {
namespace {

constexpr double rounding = 1e-12;  // relative; rates that differ by less are reached together
constexpr double unset = -1;

}  // namespace

SharedFlows::SharedFlows(std::vector<BytesPerSecond> bandwidths_of_links) {
  for (const BytesPerSecond bandwidth : bandwidths_of_links) bandwidths_.push_back(bandwidth.value);
}

void SharedFlows::start(TaskletId id, Bytes bytes, BytesPerSecond most, const std::vector<std::uint32_t>& links,
                        Seconds now) {
  now_ = now.value;
  if (links.empty()) {
    flows_.push_back({id, bytes.value, now_, most.value, most.value, &links});
    return;
  }
  flows_.push_back({id, bytes.value, now_, unset, most.value, &links});
  changed_ = true;
}

Seconds SharedFlows::next_end() {
  if (changed_) share();
  double next = std::numeric_limits<double>::infinity();
  for (const Flow& flow : flows_) next = std::min(next, flow.end());
  return Seconds(next);
}

std::vector<TaskletId> SharedFlows::take_ended(Seconds now, Seconds until) {
  if (changed_) share();
  now_ = now.value;
  std::vector<TaskletId> ended;
  const auto last = std::remove_if(flows_.begin(), flows_.end(), [&](const Flow& flow) {
    if (flow.end() > until.value) return false;
    ended.push_back(flow.id);
    if (!flow.links->empty()) changed_ = true;
    return true;
  });
  flows_.erase(last, flows_.end());
  return ended;
}

void SharedFlows::share() {
  std::vector<double> left = bandwidths_;
  std::vector<double> users(left.size(), 0);
  for (const Flow& flow : flows_)
    for (const std::uint32_t link : *flow.links) ++users[link];
  std::vector<double> rates(flows_.size(), unset);
  for (std::size_t open = flows_.size(); open > 0;) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < left.size(); ++link)
      if (users[link] > 0) least = std::min(least, left[link] / users[link]);
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (rates[i] == unset) least = std::min(least, flows_[i].most);
    const double reached = least * (1 + rounding);
    std::vector<bool> full(left.size());
    for (std::size_t link = 0; link < left.size(); ++link)
      full[link] = users[link] > 0 && left[link] / users[link] <= reached;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const Flow& flow = flows_[i];
      if (rates[i] != unset) continue;
      const bool stopped = std::any_of(flow.links->begin(), flow.links->end(), [&](auto link) { return full[link]; });
      if (!stopped && flow.most > reached) continue;
      rates[i] = std::min(least, flow.most);
      --open;
      for (const std::uint32_t link : *flow.links) {
        left[link] = std::max(0.0, left[link] - rates[i]);
        --users[link];
      }
    }
  }
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    Flow& flow = flows_[i];
    if (flow.rate == rates[i]) continue;
    if (flow.rate != unset) flow.left = std::max(0.0, flow.left - flow.rate * (now_ - flow.since));
    flow.since = now_;
    flow.rate = rates[i];
  }
  changed_ = false;
}

}  // namespace longhaul
