// Measured times of models' layers: what computing took on a device, instead of FLOP over an efficiency.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/description/device_type.hpp"
#include "sim/description/model.hpp"

namespace longhaul {

/// Of one part of the model for one micro-batch on one slice.
struct PartTimes {
  Seconds forward;
  Seconds backward;
  std::optional<Seconds> update;     // optimizer step, per iteration; none = not measured
  std::optional<Bytes> activations;  // that backward needs; none = not measured
};

/// One setting of a series.
struct ProfileEntry {
  std::size_t tensor = 1;
  std::size_t micro_batch = 1;  // sequences
  PartTimes embedding;          // all zero where the source has only layers
  PartTimes layer;
  PartTimes head;
};

/// All settings of a model, a sequence length, a precision and a device type that were measured.
struct ProfileSeries {
  std::string model;
  Model shape;  // of that model, with the sequence of the measurement
  std::string precision;
  std::string device_type;
  std::vector<ProfileEntry> entries;
};

struct LayerProfile {
  std::string name;
  Location where;  // of the key that names it
  std::vector<ProfileSeries> series;
  std::vector<DeviceType> device_types;  // for scaling between them
};

/// Reads scenarios/profiles/NAME.csv: comment lines `# source: …`, then the columns
/// model,sequence,precision,device_type,tensor,micro_batch,part,forward_s,backward_s,update_s,activation_bytes with part =
/// embedding, layer or head; the last two may be empty. Models stand in scenarios/models.
LayerProfile find_layer_profile(const std::string& name, const Location& where);

/// What is asked of a profile.
struct ProfileQuery {
  const Model& model;
  const std::string& precision;
  const std::string& device_type;
  std::size_t tensor = 1;
  std::size_t micro_batch = 1;
};

struct ProfiledTimes {
  PartTimes embedding;
  PartTimes layer;
  PartTimes head;
  std::string origin;  // in words: measured, interpolated, scaled from what by what
};

/// In this order:
/// - the model (same sequence and precision) on the device: measured, or between measured settings of it;
/// - the model on another device, scaled by what another model of the profile took on both devices at that setting; without
///   one, forward and backward by the ratio of peaks, or of memory bandwidths where that leaves more time, update by the latter;
/// - another model on the device, scaled by FLOP of a layer and of the head (embedding: hidden size; update: parameters).
/// Of several candidates the nearest in peak or in FLOP. Between micro-batches times are linear, between tensor degrees linear in
/// 1 / degree; up to a factor of 2 outside what was measured the line goes on. A larger micro-batch that was measured faster
/// bounds the smaller ones: warm-up of the measurement, since less work takes no longer.
/// UserError at profile.where if nothing applies, or the setting lies further out.
ProfiledTimes profiled_times(const LayerProfile& profile, const ProfileQuery& query);

/// Activations of the parts as measured for that model, sequence, precision and tensor degree, on whatever device; none = not
/// measured. They are proportional to the micro-batch.
struct ProfiledActivations {
  Bytes embedding;
  Bytes layer;
  Bytes head;
};
std::optional<ProfiledActivations> profiled_activations(const LayerProfile& profile, const ProfileQuery& query);

}  // namespace longhaul
