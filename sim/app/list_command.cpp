#include <functional>
#include <map>

#include <fmt/format.h>

#include "scheduler/scheduler.hpp"
#include "sim/app/commands.hpp"
#include "sim/app/output.hpp"
#include "sim/description/config.hpp"
#include "sim/description/data_folder.hpp"
#include "sim/description/device_type.hpp"
#include "sim/description/model.hpp"
#include "sim/results/text_table.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/compression.hpp"
#include "sim/workload/schedule.hpp"
#include "sim/workload/workload_builder.hpp"

namespace longhaul {
namespace {

template <class Entry>
std::string named(const std::vector<Entry>& table) {
  std::vector<std::vector<std::string>> rows;
  for (const Entry& entry : table) rows.push_back({entry.name, entry.summary});
  return text_table({"name", "what it does"}, {Align::left, Align::left}, rows);
}

std::string models() {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : model_names()) {
    const Model model = find_model(name, {});
    rows.push_back({name, std::to_string(model.layers), std::to_string(model.hidden), std::to_string(model.heads),
                    std::to_string(model.sequence), fmt::format("{:.2f} billion", total_parameters(model) / 1e9)});
  }
  return text_table({"name", "layers", "hidden", "heads", "sequence", "parameters"},
                    {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right}, rows);
}

std::string devices() {
  const auto speed = [](const std::optional<FlopsPerSecond>& peak) {
    return peak ? fmt::format("{:.1f}", peak->value / 1e12) : "-";
  };
  const auto rate = [](const std::optional<BytesPerSecond>& bandwidth) {
    return bandwidth ? fmt::format("{:g}", bandwidth->value / 1e9) : "-";
  };
  std::vector<std::vector<std::string>> rows;
  for (const DeviceType& type : device_types())
    rows.push_back({type.name, speed(type.fp16), speed(type.bf16), speed(type.fp32),
                    type.memory == Bytes() ? "-" : fmt::format("{:.0f}", type.memory.value / 1e9),
                    rate(type.memory_bandwidth), type.link.empty() ? "-" : type.link, rate(type.link_bandwidth),
                    type.host_link.empty() ? "-" : type.host_link, rate(type.host_bandwidth)});
  constexpr Align right = Align::right;
  return text_table({"name", "fp16", "bf16", "fp32 TFLOPS", "memory GB", "GB/s", "link", "GB/s", "host link", "GB/s"},
                    {Align::left, right, right, right, right, right, Align::left, right, Align::left, right}, rows);
}

// Files with a one-line text under `key`.
std::string described(const std::string& folder, const char* key) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : data_names(folder, ".yaml"))
    rows.push_back({name, Config::read_file(data_file(folder, name, ".yaml", {})).at(key).text()});
  return text_table({"name", "what it is"}, {Align::left, Align::left}, rows);
}

const std::vector<std::pair<std::string, std::function<std::string()>>>& lists() {
  static const std::vector<std::pair<std::string, std::function<std::string()>>> table{
      {"schedulers", [] { return named(schedulers()); }},
      {"schedules", [] { return named(pipeline_schedules()); }},
      {"collectives", [] { return named(collectives()); }},
      {"compressions", [] { return named(compression_methods()); }},
      {"workloads", [] { return named(workload_builders()); }},
      {"models", models},
      {"devices", devices},
      {"scenarios", [] { return described("scenarios", "description"); }},
      {"suites", [] { return described("scenarios/suites", "description"); }},
      {"studies", [] { return described("scenarios/studies", "description"); }},
      {"networks", [] { return described("scenarios/networks", "source"); }},
  };
  return table;
}

}  // namespace

std::vector<std::string> listable() {
  std::vector<std::string> names;
  for (const auto& list : lists()) names.push_back(list.first);
  return names;
}

void list_command(const std::string& what) {
  for (const auto& [name, text] : lists())
    if (name == what) print_text(text());
}

}  // namespace longhaul
