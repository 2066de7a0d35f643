#include "sim/description/path_classes.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

class Numbers {
 public:
  std::uint32_t of(const std::string& name) {
    return numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

PathClasses classify(const std::vector<Device>& devices, const std::vector<std::string>& class_names,
                     const std::string& file) {
  PathClasses classes;
  Numbers class_numbers, machine_numbers;
  std::vector<std::size_t> first_in_machine;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const std::uint32_t own = class_numbers.of(class_names[i]), machine = machine_numbers.of(devices[i].machine);
    classes.path_class.push_back(own);
    classes.machine.push_back(machine);
    if (own == classes.members.size()) classes.members.push_back({i, std::nullopt, std::nullopt});
    if (machine == first_in_machine.size()) first_in_machine.push_back(i);
    const std::size_t neighbour = first_in_machine[machine];
    if (classes.path_class[neighbour] != own)
      throw UserError({file, 0, 0},
                      fmt::format("hosts '{}' and '{}' have different values of path_class", devices[neighbour].name,
                                  devices[i].name),
                      fmt::format("both stand in machine '{}'", devices[i].machine), "one value per machine");
    PathClasses::Members& members = classes.members[own];
    if (neighbour != i && !members.in_one_machine) members.in_one_machine = {neighbour, i};
    if (machine != classes.machine[members.first] && !members.elsewhere) members.elsewhere = i;
  }
  return classes;
}

}  // namespace longhaul
