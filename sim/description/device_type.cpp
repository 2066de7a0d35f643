#include "sim/description/device_type.hpp"

#include "sim/description/config.hpp"
#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

DeviceType read_device_type(const std::string& name, const Config& config) {
  DeviceType type;
  type.name = name;
  if (const auto peak = config.find("peak_bf16")) type.bf16 = peak->speed();
  if (const auto peak = config.find("peak_fp32")) type.fp32 = peak->speed();
  const auto peak = config.find("peak");
  if (peak) type.fp16 = peak->speed();
  type.peak = peak || !type.fp32 ? config.at("peak").speed() : *type.fp32;
  if (const auto memory = config.find("memory")) type.memory = memory->bytes();
  if (const auto bandwidth = config.find("memory_bandwidth")) type.memory_bandwidth = bandwidth->bandwidth();
  if (const auto link = config.find("link")) type.link = link->text();
  if (const auto bandwidth = config.find("link_bandwidth")) type.link_bandwidth = bandwidth->bandwidth();
  if (const auto link = config.find("host_link")) type.host_link = link->text();
  if (const auto bandwidth = config.find("host_bandwidth")) type.host_bandwidth = bandwidth->bandwidth();
  type.source = config.at("source").text();
  if (const auto note = config.find("note")) type.note = note->text();
  return type;
}

}  // namespace

std::vector<DeviceType> device_types() { return read_device_types(data_folder() + "/platforms/device_types.yaml"); }

std::vector<DeviceType> read_device_types(const std::string& path) {
  const Config config = Config::read_file(path);
  std::vector<DeviceType> types;
  for (const auto& [name, entry] : config.entries()) types.push_back(read_device_type(name, entry));
  config.reject_unread();
  return types;
}

const DeviceType* find_device_type(const std::vector<DeviceType>& types, std::string_view name) {
  for (const DeviceType& type : types)
    if (type.name == name) return &type;
  return nullptr;
}

std::optional<FlopsPerSecond> peak_in(const DeviceType& type, const std::string& precision) {
  if (precision == "fp32") return type.fp32;
  return precision == "bf16" ? type.bf16 : type.fp16;
}

}  // namespace longhaul
