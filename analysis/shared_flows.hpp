// Transfers under way at one time that share links max-min fairly: who has how much bandwidth, and who is through next.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace longhaul {

/// A fluid model: at every moment bandwidth is divided by progressive filling (all rates grow alike until a flow's own limit
/// or a link is reached; Bertsekas and Gallager, Data Networks, section 6.5.2). Time is given by the caller and never goes
/// back.
class SharedFlows {
 public:
  explicit SharedFlows(const std::vector<BytesPerSecond>& bandwidths_of_links);

  /// `most` is what the flow reaches alone. `links` are numbers into the bandwidths and must live as long as the flow; one
  /// that stands there twice is used twice.
  void start(TaskletId id, Bytes bytes, BytesPerSecond most, const std::vector<std::uint32_t>& links, Seconds now);

  /// When the next flow is through if none comes before; infinite where there is none.
  Seconds next_end();

  /// Takes out, at `now`, those that would be through at the latest at `until`, in the order of their start.
  std::vector<TaskletId> take_ended(Seconds now, Seconds until);

 private:
  struct Flow {
    TaskletId id;
    double left;   // bytes, at `since`
    double since;  // seconds; when its rate last changed
    double rate;
    double most;
    const std::vector<std::uint32_t>* links;
    double end() const { return since + left / rate; }
  };

  std::vector<double> fair_rates() const;  // by flow
  void share();

  std::vector<double> bandwidths_;
  std::vector<Flow> flows_;
  double now_ = 0;        // of the last change
  bool changed_ = false;  // flows came or went since rates were given
};

}  // namespace longhaul
