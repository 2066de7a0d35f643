// Device types: what a GPU of a kind can do, from data sheets. platforms/device_types.yaml holds them; a new kind is
// a new entry there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"

namespace longhaul {

struct DeviceType {
  std::string name;     // such as V100-SXM2-16GB
  FlopsPerSecond peak;  // dense fp16 on tensor cores, or fp32 where fp16 is not stated: an upper bound, never reached
  std::optional<FlopsPerSecond> fp16, bf16,
      fp32;      // dense, by precision; none = the device lacks it or the source does not say
  Bytes memory;  // as the data sheet prints it; 0 = the source does not say
  std::optional<BytesPerSecond> memory_bandwidth;
  std::string link;  // to its neighbours in a machine, such as "NVLink 3"; empty = not said
  std::optional<BytesPerSecond> link_bandwidth;  // of that link, one way, per device
  std::string host_link;                         // to its host, such as "PCIe 4"; empty = not said
  std::optional<BytesPerSecond> host_bandwidth;  // of that link, one way, per device
  std::string source;
  std::string note;
};

/// The types of platforms/device_types.yaml in the data folder.
std::vector<DeviceType> device_types();

/// Reads a file of device types, in file order. Every mistake is a UserError with its location.
std::vector<DeviceType> read_device_types(const std::string& path);

/// The type of that name, or null.
const DeviceType* find_device_type(const std::vector<DeviceType>& types, std::string_view name);

/// The peak in a precision (fp16, bf16 or fp32), if there is one.
std::optional<FlopsPerSecond> peak_in(const DeviceType& type, const std::string& precision);

}  // namespace longhaul
