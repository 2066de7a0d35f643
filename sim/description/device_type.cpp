#include "sim/description/device_type.hpp"

#include "sim/description/config.hpp"
#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

DeviceType read_device_type(const std::string& name, const Config& config) {
  DeviceType type;
  type.name = name;
  type.peak = config.at("peak").speed();
  if (const auto memory = config.find("memory")) type.memory = memory->bytes();
  if (const auto bandwidth = config.find("memory_bandwidth")) type.memory_bandwidth = bandwidth->bandwidth();
  if (const auto link = config.find("link")) type.link = link->text();
  if (const auto bandwidth = config.find("link_bandwidth")) type.link_bandwidth = bandwidth->bandwidth();
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

}  // namespace longhaul
