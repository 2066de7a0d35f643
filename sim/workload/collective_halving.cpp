#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

std::size_t largest_power_of_two(std::size_t members) {
  std::size_t power = 1;
  while (2 * power <= members) power *= 2;
  return power;
}

// Each participant sends `bytes` to the one whose number differs in one bit; adds what arrives to what members hold.
void exchange(const CollectiveCall& call, const std::vector<std::size_t>& participants, std::size_t distance,
              Bytes bytes, CollectiveResult& held, TaskletGraphBuilder& graph) {
  std::vector<TaskletId> sent(participants.size());
  for (std::size_t i = 0; i < participants.size(); ++i) {
    const std::size_t peer = i ^ distance;
    sent[peer] = send(call, participants[i], participants[peer], bytes, graph);
    graph.order(held[participants[i]], sent[peer]);
  }
  for (std::size_t i = 0; i < participants.size(); ++i) held[participants[i]].push_back(sent[i]);
}

}  // namespace

double in_recursive_halving_doubling(const CollectiveCall& call) {
  const std::size_t members = call.ranks.size();
  const std::size_t power = largest_power_of_two(members);
  double tasklets = 2 * static_cast<double>(members - power);
  for (std::size_t distance = 1; distance < power; distance *= 2) tasklets += 2 * static_cast<double>(power);
  return tasklets;
}

CollectiveResult recursive_halving_doubling(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const std::size_t power = largest_power_of_two(members);
  const std::size_t extra = members - power;
  CollectiveResult held = call.ready;
  std::vector<std::size_t> participants;
  for (std::size_t i = 0; i < extra; ++i) {
    const TaskletId given = send(call, 2 * i, 2 * i + 1, call.bytes, graph);
    graph.order(call.ready[2 * i], given);
    held[2 * i + 1].push_back(given);
    participants.push_back(2 * i + 1);
  }
  for (std::size_t i = 2 * extra; i < members; ++i) participants.push_back(i);

  Bytes part = call.bytes;
  for (std::size_t distance = 1; distance < power; distance *= 2) {
    part = part / 2;
    exchange(call, participants, distance, part, held, graph);
  }
  for (std::size_t distance = power / 2; distance > 0; distance /= 2) {
    exchange(call, participants, distance, part, held, graph);
    part = part * 2;
  }
  for (std::size_t i = 0; i < extra; ++i) {
    const TaskletId returned = send(call, 2 * i + 1, 2 * i, call.bytes, graph);
    graph.order(held[2 * i + 1], returned);
    held[2 * i] = {returned};
  }
  return held;
}

}  // namespace longhaul
