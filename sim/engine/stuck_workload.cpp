#include "sim/engine/stuck_workload.hpp"

#include <string>

namespace longhaul {

UserError stuck_workload(const Workload& workload, const std::vector<Span>& spans) {
  std::string waiting;
  std::size_t stuck = 0;
  for (std::size_t i = 0; i < workload.tasklets().size(); ++i) {
    if (i < spans.size() && spans[i].finish.value >= 0) continue;
    if (++stuck <= 3) waiting += (waiting.empty() ? "" : ", ") + workload.describe_wait(TaskletId(i));
  }
  return {{},
          "the simulation cannot progress: " + std::to_string(stuck) + " tasklets never finish",
          "tasklet " + waiting,
          "a workload without circular waits"};
}

}  // namespace longhaul
