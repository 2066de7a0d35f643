#include <algorithm>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

std::size_t largest_power_of_two(std::size_t members) {
  std::size_t power = 1;
  while (2 * power <= members) power *= 2;
  return power;
}

// Where the stretch of the bytes begins that a participant holds after halving at distances 1, 2, … `distance`.
Bytes held_from(const CollectiveCall& call, std::size_t participant, std::size_t distance) {
  Bytes begin;
  Bytes part = call.bytes;
  for (std::size_t bit = 1; bit <= distance; bit *= 2) {
    part = part / 2;
    if ((participant & bit) != 0) begin += part;
  }
  return begin;
}

// Each participant sends `bytes` to the one whose number differs in one bit, halving what this one is to hold, doubling what
// it holds itself; adds what arrives to what members hold.
void exchange(const CollectiveCall& call, const std::vector<std::size_t>& participants, std::size_t distance,
              Bytes bytes, Merge merge, CollectiveResult& held, TaskletGraphBuilder& graph) {
  std::vector<TaskletId> sent(participants.size());
  for (std::size_t i = 0; i < participants.size(); ++i) {
    const std::size_t peer = i ^ distance;
    const Bytes begin = held_from(call, merge == Merge::adds ? peer : i, distance);
    sent[peer] = send(call, participants[i], participants[peer], {begin, bytes, merge}, graph);
    graph.order(held[participants[i]], sent[peer]);
  }
  for (std::size_t i = 0; i < participants.size(); ++i) held[participants[i]].push_back(sent[i]);
}

// A power of two of members: of the first pairs those who stand in for their neighbour, then the others.
std::vector<std::size_t> participants_of(std::size_t members) {
  const std::size_t extra = members - largest_power_of_two(members);
  std::vector<std::size_t> participants;
  for (std::size_t i = 0; i < extra; ++i) participants.push_back(2 * i + 1);
  for (std::size_t i = 2 * extra; i < members; ++i) participants.push_back(i);
  return participants;
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
  const std::vector<std::size_t> participants = participants_of(members);
  for (std::size_t i = 0; i < extra; ++i) {
    const TaskletId given = send(call, 2 * i, 2 * i + 1, {Bytes(), call.bytes, Merge::adds}, graph);
    graph.order(call.ready[2 * i], given);
    held[2 * i + 1].push_back(given);
  }

  Bytes part = call.bytes;
  for (std::size_t distance = 1; distance < power; distance *= 2) {
    part = part / 2;
    exchange(call, participants, distance, part, Merge::adds, held, graph);
  }
  for (std::size_t distance = power / 2; distance > 0; distance /= 2) {
    exchange(call, participants, distance, part, Merge::replaces, held, graph);
    part = part * 2;
  }
  for (std::size_t i = 0; i < extra; ++i) {
    const TaskletId returned = send(call, 2 * i + 1, 2 * i, {Bytes(), call.bytes, Merge::replaces}, graph);
    graph.order(held[2 * i + 1], returned);
    held[2 * i] = {returned};
  }
  return held;
}

// Level by level as slow as its slowest pair.
Seconds recursive_halving_doubling_seconds(const CollectiveCall& call) {
  const std::vector<std::size_t> participants = participants_of(call.ranks.size());
  Seconds sum;
  Bytes part = call.bytes;
  for (std::size_t distance = 1; distance < participants.size(); distance *= 2) {
    part = part / 2;
    Seconds slowest;
    for (std::size_t i = 0; i < participants.size(); ++i)
      slowest = std::max(slowest, hop(call, participants[i], participants[i ^ distance], part).total());
    sum += slowest * 2;
  }
  Seconds giving;
  Seconds returning;
  for (std::size_t i = 0; i < call.ranks.size() - participants.size(); ++i) {
    giving = std::max(giving, hop(call, 2 * i, 2 * i + 1, call.bytes).total());
    returning = std::max(returning, hop(call, 2 * i + 1, 2 * i, call.bytes).total());
  }
  return giving + sum + returning;
}

}  // namespace longhaul
