#include "sim/results/timeline.hpp"

#include <algorithm>

#include "sim/base/error.hpp"

namespace longhaul {

Timeline last_iteration(const Timeline& all, std::size_t tasklets) {
  const std::size_t iterations = all.iteration_ends.size();
  require(iterations > 0 && all.spans.size() >= tasklets, "a timeline without iterations has no last one");
  const std::size_t first = (iterations - 1) % 2 * tasklets;
  Timeline last;
  last.spans.assign(all.spans.begin() + static_cast<std::ptrdiff_t>(first),
                    all.spans.begin() + static_cast<std::ptrdiff_t>(first + tasklets));
  Seconds start = all.end;
  for (const Span& span : last.spans) start = std::min(start, span.start);
  for (Span& span : last.spans) {
    span = {span.start - start, span.released - start, span.finish - start};
    last.end = std::max(last.end, span.finish);
  }
  return last;
}

}  // namespace longhaul
