// Measured times of a model's layers: what computing took on a device, instead of FLOP over an efficiency.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace longhaul {

/// Times of one part of the model for one micro-batch on one slice.
struct PartTimes {
  Seconds forward;
  Seconds backward;
  Seconds update;  // optimizer step, per iteration
};

/// One setting of a profile.
struct ProfileEntry {
  std::string device_type;
  std::size_t tensor = 1;
  std::size_t micro_batch = 1;  // sequences
  PartTimes embedding;
  PartTimes layer;
  PartTimes head;
};

struct LayerProfile {
  std::string name;
  Location where;  // of the key that names it
  std::vector<ProfileEntry> entries;

  /// The entry of that setting. UserError at `where` that lists what was measured if there is none.
  const ProfileEntry& entry(const std::string& device_type, std::size_t tensor, std::size_t micro_batch) const;
};

/// Reads scenarios/profiles/NAME.csv: comment lines `# source: …`, then the columns
/// device_type,tensor,micro_batch,part,forward_s,backward_s,update_s with part = embedding, layer or head.
LayerProfile find_layer_profile(const std::string& name, const Location& where);

}  // namespace longhaul
