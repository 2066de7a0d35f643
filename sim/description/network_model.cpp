#include "sim/description/network_model.hpp"

#include "sim/description/data_folder.hpp"

namespace longhaul {
namespace {

NetworkEquations equations_of(const std::string& name) {
  if (name == "cm02") return NetworkEquations::cm02;
  return name == "lv08" ? NetworkEquations::lv08 : NetworkEquations::raw;
}

Bytes read_chunk(const Config& config) {
  const Bytes chunk = config.bytes();
  if (chunk < Bytes(1024)) throw config.error("a chunk this small makes millions of messages", "", "at least 1 KiB");
  return chunk;
}

void read_parameters(const Config& config, NetworkModel& model) {
  constexpr double least_share = 1e-6;
  if (const auto value = config.find("model")) model.equations = equations_of(value->choice({"raw", "cm02", "lv08"}));
  if (const auto value = config.find("efficiency")) model.efficiency = value->number(least_share, 1);
  if (const auto value = config.find("collective_efficiency"))
    model.collective_efficiency = value->number(least_share, 1);
  if (const auto value = config.find("exchange_efficiency"))
    model.exchange_efficiency = value->number(least_share, 1);
  if (const auto value = config.find("message_cost")) model.message_cost = value->duration();
  if (const auto value = config.find("store_and_forward")) model.store_and_forward = value->number(0, 10);
  if (const auto value = config.find("chunk")) model.chunk = read_chunk(*value);
  if (const auto value = config.find("ring_chunk")) model.ring_chunk = read_chunk(*value);
  if (const auto value = config.find("overlap_cost")) model.overlap_cost = value->number(0, 1);
  if (const auto value = config.find("ring_steps"))
    model.ring_steps = value->choice({"apart", "together"}) == "together" ? RingSteps::together : RingSteps::apart;
  if (const auto value = config.find("tensor_sums"))
    model.tensor_sums = find_measured_sums(value->text(), value->where());
  if (const auto value = config.find("barrier_latency_factor")) model.barrier_latency_factor = value->number(0, 100);
  if (const auto value = config.find("tcp_streams"))
    model.tcp_streams = static_cast<std::size_t>(value->integer(1, 1000));
  if (const auto value = config.find("tcp_window")) {
    model.tcp_window = value->bytes();
    if (model.equations != NetworkEquations::raw)
      throw value->error("SimGrid's own models bring their TCP window", "", "this key with network.model: raw");
  }
}

}  // namespace

const char* name_of(NetworkEquations equations) {
  switch (equations) {
    case NetworkEquations::raw:
      return "raw";
    case NetworkEquations::cm02:
      return "cm02";
    case NetworkEquations::lv08:
      return "lv08";
  }
  return "";
}

NetworkModel read_network_model(const Config& config) {
  NetworkModel model;
  if (const auto profile = config.find("profile")) {
    model.profile = profile->text();
    const Config file = Config::read_file(data_file("scenarios/networks", model.profile, ".yaml", profile->where()));
    file.at("source").text();
    read_parameters(file, model);
    file.reject_unread();
  }
  read_parameters(config, model);
  return model;
}

}  // namespace longhaul
