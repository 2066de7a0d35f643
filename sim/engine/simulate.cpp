#include "sim/engine/simulate.hpp"

#include <cstring>

#include "sim/base/child_process.hpp"
#include "sim/base/error.hpp"
#include "sim/description/simgrid_failure.hpp"
#include "sim/engine/simulation.hpp"

namespace longhaul {
namespace {

std::string encode(const std::vector<Span>& spans) {
  std::string bytes(spans.size() * sizeof(Span), '\0');
  std::memcpy(bytes.data(), spans.data(), bytes.size());
  return bytes;
}

std::vector<Span> decode(const std::string& bytes) {
  require(bytes.size() % sizeof(Span) == 0, "the simulation's answer is cut off");
  std::vector<Span> spans(bytes.size() / sizeof(Span));
  std::memcpy(static_cast<void*>(spans.data()), bytes.data(), bytes.size());
  return spans;
}

}  // namespace

Timeline simulate(const Platform& platform, Workload& workload, const NetworkModel& network,
                  const std::function<void(double)>& progress) {
  Timeline timeline;
  if (workload.tasklets().empty()) return timeline;
  try {
    timeline.spans =
        decode(run_in_child([&] { return encode(run_simulation(platform, workload, network)); }, progress));
  } catch (const ChildDied& death) {
    throw simgrid_failure(platform.file, death);
  }
  for (const Span& span : timeline.spans)
    if (span.finish > timeline.end) timeline.end = span.finish;
  return timeline;
}

}  // namespace longhaul
