#include "sim/workload/barrier.hpp"

namespace longhaul {
namespace {

Tasklet barrier_tasklet(TaskletKind kind, std::size_t rank, DeviceId device, DeviceId target) {
  Tasklet tasklet;
  tasklet.kind = kind;
  tasklet.rank = RankId(rank);
  tasklet.device = device;
  tasklet.target = target;
  return tasklet;
}

}  // namespace

std::vector<TaskletId> emit_barrier(const std::vector<DeviceId>& devices,
                                    const std::vector<std::vector<TaskletId>>& before, TaskletGraphBuilder& graph) {
  const std::size_t ranks = devices.size();
  std::vector<std::vector<TaskletId>> heard(ranks);  // after these, a rank may enter its next round
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const TaskletId arrival = graph.add(barrier_tasklet(TaskletKind::barrier, rank, devices[rank], devices[rank]));
    graph.order(before[rank], arrival);
    heard[rank].push_back(arrival);
  }
  for (std::size_t distance = 1; distance < ranks; distance *= 2) {
    std::vector<TaskletId> sent(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::size_t peer = (rank + distance) % ranks;
      sent[peer] = graph.add(barrier_tasklet(TaskletKind::barrier_message, rank, devices[rank], devices[peer]));
      graph.order(heard[rank], sent[peer]);
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) heard[rank].push_back(sent[rank]);
  }
  std::vector<TaskletId> departures;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    departures.push_back(graph.add(barrier_tasklet(TaskletKind::barrier, rank, devices[rank], devices[rank])));
    graph.order(heard[rank], departures.back());
  }
  return departures;
}

}  // namespace longhaul
