#include "sim/description/platform_bytes.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

class Writer {
 public:
  void put(double value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(const std::string& text) {
    put(static_cast<double>(text.size()));
    bytes_ += text;
  }
  template <class Item>
  void put(const std::vector<Item>& items) {
    put(static_cast<double>(items.size()));
    bytes_.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
  }
  std::string bytes() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  std::size_t count() { return static_cast<std::size_t>(number()); }
  double number() {
    double value = 0;
    take(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string value(count(), '\0');
    take(value.data(), value.size());
    return value;
  }
  template <class Item>
  std::vector<Item> items() {
    std::vector<Item> values(count());
    take(static_cast<void*>(values.data()), values.size() * sizeof(Item));
    return values;
  }

 private:
  void take(void* target, std::size_t size) {
    require(size <= bytes_.size() - at_, "the platform's bytes are too few");
    std::memcpy(target, bytes_.data() + at_, size);
    at_ += size;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string bytes_of_view(const PlatformView& view) {
  Writer writer;
  writer.put(view.name());
  writer.put(static_cast<double>(view.size()));
  for (const Device& device : view.devices()) {
    for (const std::string* text : {&device.name, &device.type, &device.region, &device.machine}) writer.put(*text);
    writer.put(device.memory.value);
    writer.put(device.peak.value);
  }
  const PathTable& paths = view.paths();
  writer.put(paths.path_classes());
  writer.put(paths.machines());
  writer.put(paths.between());
  writer.put(paths.inside());
  return std::move(writer).bytes();
}

PlatformView view_of_bytes(const std::string& bytes) {
  Reader reader(bytes);
  std::string name = reader.text();
  std::vector<Device> devices(reader.count());
  for (Device& device : devices) {
    for (std::string* text : {&device.name, &device.type, &device.region, &device.machine}) *text = reader.text();
    device.memory = Bytes(reader.number());
    device.peak = FlopsPerSecond(reader.number());
  }
  auto path_classes = reader.items<std::uint32_t>();
  auto machines = reader.items<std::uint32_t>();
  auto between = reader.items<Path>();
  auto inside = reader.items<Path>();
  return {std::move(name), std::move(devices),
          PathTable(std::move(path_classes), std::move(machines), std::move(between), std::move(inside))};
}

}  // namespace longhaul
