#include "analysis/shared_flows.hpp"

#include <algorithm>
#include <limits>

namespace longhaul {
namespace {

constexpr double rounding = 1e-12;  // relative; rates that differ by less are reached together
constexpr double unset = -1;

}  // namespace

SharedFlows::SharedFlows(const std::vector<BytesPerSecond>& bandwidths_of_links) {
  for (const BytesPerSecond bandwidth : bandwidths_of_links) bandwidths_.push_back(bandwidth.value);
}

void SharedFlows::start(TaskletId id, Bytes bytes, BytesPerSecond most, const std::vector<std::uint32_t>& links,
                        Seconds now) {
  if (changed_ && now.value > now_) share();
  now_ = now.value;
  flows_.push_back({id, bytes.value, now_, links.empty() ? most.value : unset, most.value, &links});
  if (!links.empty()) changed_ = true;
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

// Progressive filling.
std::vector<double> SharedFlows::fair_rates() const {
  std::vector<double> left = bandwidths_;
  std::vector<double> users(left.size(), 0);
  std::vector<double> rates(flows_.size(), unset);
  std::size_t open = 0;
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    for (const std::uint32_t link : *flows_[i].links) ++users[link];
    if (flows_[i].links->empty())
      rates[i] = flows_[i].most;
    else
      ++open;
  }
  const auto level = [&](std::size_t link) {
    return left[link] / users[link];
  };  // of the users' rates when it is full
  while (open > 0) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < left.size(); ++link)
      if (users[link] > 0) least = std::min(least, level(link));
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (rates[i] == unset) least = std::min(least, flows_[i].most);
    const double reached = least * (1 + rounding);
    std::vector<bool> full(left.size());
    for (std::size_t link = 0; link < left.size(); ++link) full[link] = users[link] > 0 && level(link) <= reached;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const std::vector<std::uint32_t>& links = *flows_[i].links;
      if (rates[i] != unset) continue;
      const bool stopped = std::any_of(links.begin(), links.end(), [&](std::uint32_t link) { return full[link]; });
      if (!stopped && flows_[i].most > reached) continue;
      rates[i] = std::min(least, flows_[i].most);
      --open;
      for (const std::uint32_t link : links) {
        left[link] = std::max(0.0, left[link] - rates[i]);
        --users[link];
      }
    }
  }
  return rates;
}

void SharedFlows::share() {
  const std::vector<double> rates = fair_rates();
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
