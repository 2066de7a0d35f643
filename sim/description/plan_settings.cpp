#include "sim/description/plan_settings.hpp"

#include "sim/description/reach.hpp"

namespace longhaul {
namespace {

constexpr std::int64_t most_ranks = 1'000'000;

std::size_t count(const Config& config, std::int64_t most) {
  return static_cast<std::size_t>(config.integer(1, most));
}

// A name for all paths, or names by their reach: {between_regions: int8, otherwise: none}.
CompressionSetting read_by_reach(const Config& config) {
  CompressionSetting setting;
  setting.where.fill(config.where());
  if (!config.is_map()) {
    setting.texts.fill(config.text());
    return setting;
  }
  const auto otherwise = config.find("otherwise");
  for (std::size_t i = 0; i < reach_names.size(); ++i) {
    const auto own = config.find(reach_names[i]);
    const auto& chosen = own ? own : otherwise;
    if (!chosen) continue;
    setting.texts[i] = chosen->text();
    setting.where[i] = chosen->where();
  }
  return setting;
}

void read_compression(const Config& config, PlanSettings& plan) {
  if (const auto activations = config.find("activations")) plan.activation_compression = read_by_reach(*activations);
  if (const auto gradients = config.find("gradients")) plan.gradient_compression = read_by_reach(*gradients);
  if (const auto rate = config.find("rate")) plan.compression_rate = rate->bandwidth();
}

}  // namespace

PlanSettings read_plan_settings(const Config& config) {
  PlanSettings plan;
  if (const auto workload = config.find("workload")) plan.workload = workload->text();
  plan.pipeline = count(config.at("pipeline"), most_ranks);
  plan.data = count(config.at("data"), most_ranks);
  if (const auto tensor = config.find("tensor")) plan.tensor = count(*tensor, most_ranks);
  if (const auto layers = config.find("layers_per_stage")) {
    plan.layers_per_stage.emplace();
    for (const Config& item : layers->items()) plan.layers_per_stage->push_back(count(item, most_ranks));
  }
  const Config schedule = config.at("schedule");
  plan.schedule = schedule.text();
  plan.schedule_where = schedule.where();
  if (const auto chunks = config.find("virtual_stages")) plan.virtual_stages = count(*chunks, most_ranks);
  if (const auto warm_up = config.find("warm_up")) {
    for (const Config& item : warm_up->items())
      plan.warm_up.push_back(static_cast<std::size_t>(item.integer(0, most_ranks)));
    plan.warm_up_where = warm_up->where();
  }
  const Config gradient_sync = config.at("gradient_sync");
  plan.gradient_sync = gradient_sync.text();
  plan.gradient_sync_where = gradient_sync.where();
  if (const auto zero = config.find("zero")) {
    plan.zero = static_cast<std::size_t>(zero->integer(0, 3));
    plan.zero_where = zero->where();
  }
  if (const auto groups = config.find("sync_groups")) plan.sync_groups = count(*groups, most_ranks);
  if (const auto order = config.find("ring_order"))
    plan.ring_order = order->choice({"plan", "nearest"}) == "nearest" ? RingOrder::nearest : RingOrder::plan;
  if (const auto barrier = config.find("phase_barrier")) plan.phase_barrier = barrier->flag();
  if (const auto compression = config.find("compression")) read_compression(*compression, plan);
  if (const auto check = config.find("check_memory")) {
    plan.check_memory = check->flag();
    plan.check_memory_where = check->where();
  }
  if (const auto blocking = config.find("synchronous_transfers")) plan.synchronous_transfers = blocking->flag();
  return plan;
}

}  // namespace longhaul
