#include "sim/engine/simulate.hpp"

#include <cstring>

#include "sim/base/child_process.hpp"
#include "sim/base/error.hpp"
#include "sim/description/simgrid_failure.hpp"
#include "sim/engine/simulation.hpp"

namespace longhaul {
namespace {

// The ends of iterations follow the spans, and their number is last.
std::string encode(const std::vector<Span>& spans, const std::vector<Seconds>& ends) {
  const std::size_t count = ends.size();
  std::string bytes(reinterpret_cast<const char*>(spans.data()), spans.size() * sizeof(Span));
  bytes.append(reinterpret_cast<const char*>(ends.data()), count * sizeof(Seconds));
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  return bytes;
}

void decode(const std::string& bytes, Timeline& timeline) {
  std::size_t count = 0;
  require(bytes.size() >= sizeof count, "the simulation's answer is cut off");
  std::size_t size = bytes.size() - sizeof count;
  std::memcpy(&count, bytes.data() + size, sizeof count);
  require(count <= size / sizeof(Seconds), "the simulation's answer is cut off");
  size -= count * sizeof(Seconds);
  require(size % sizeof(Span) == 0, "the simulation's answer is cut off");
  timeline.spans.resize(size / sizeof(Span));
  timeline.iteration_ends.resize(count);
  if (size > 0) std::memcpy(static_cast<void*>(timeline.spans.data()), bytes.data(), size);
  if (count > 0)
    std::memcpy(static_cast<void*>(timeline.iteration_ends.data()), bytes.data() + size, count * sizeof(Seconds));
}

}  // namespace

Timeline simulate(const Platform& platform, Workload& workload, const NetworkModel& network,
                  const std::function<void(double)>& progress) {
  Timeline timeline;
  if (workload.tasklets().empty()) return timeline;
  try {
    const auto work = [&] {
      const std::vector<Span> spans = run_simulation(platform, workload, network);
      return encode(spans, workload.iteration_ends());
    };
    decode(run_in_child(work, progress), timeline);
  } catch (const ChildDied& death) {
    throw simgrid_failure(platform.file, death);
  }
  for (const Span& span : timeline.spans)
    if (span.finish > timeline.end) timeline.end = span.finish;
  return timeline;
}

}  // namespace longhaul
