#include "sim/description/plan_settings.hpp"

#include <cmath>

#include <fmt/format.h>

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

std::vector<std::size_t> counts(const Config& list) {
  std::vector<std::size_t> numbers;
  for (const Config& item : list.items()) numbers.push_back(count(item, most_ranks));
  if (numbers.empty()) throw list.error("an empty list", "", "one number per stage");
  return numbers;
}

Balance read_balance(const Config& list) {
  Balance balance;
  for (const Config& item : list.items())
    (item.choice({"layers", "micro_batches"}) == "layers" ? balance.layers : balance.micro_batches) = true;
  return balance;
}

std::vector<std::size_t> read_warm_up(const Config& list) {
  std::vector<std::size_t> ahead;
  for (const Config& item : list.items()) ahead.push_back(static_cast<std::size_t>(item.integer(0, most_ranks)));
  return ahead;
}

PipelineSettings read_pipeline(const Config& config) {
  PipelineSettings pipeline;
  pipeline.where = config.where();
  pipeline.layers = counts(config.at("layers"));
  pipeline.tensor.assign(pipeline.layers.size(), 1);
  if (const auto tensor = config.find("tensor")) {
    if (tensor->is_list())
      pipeline.tensor = counts(*tensor);
    else
      pipeline.tensor.assign(pipeline.layers.size(), count(*tensor, most_ranks));
    if (pipeline.tensor.size() != pipeline.layers.size())
      throw tensor->error(fmt::format("{} degrees for {} stages", pipeline.tensor.size(), pipeline.layers.size()), "",
                          "one number, or one per stage");
  }
  if (const auto size = config.find("micro_batch")) pipeline.micro_batch = count(*size, most_ranks);
  if (const auto micro_batches = config.find("micro_batches"))
    pipeline.micro_batches = count(*micro_batches, most_ranks);
  if (const auto ahead = config.find("warm_up")) pipeline.warm_up = read_warm_up(*ahead);
  if (const auto type = config.find("device_type")) pipeline.device_type = type->text();
  if (const auto number = config.find("count")) pipeline.count = count(*number, most_ranks);
  return pipeline;
}

// Either degrees, the same for all replicas, or the replicas one by one.
void read_replicas(const Config& config, PlanSettings& plan) {
  const auto pipelines = config.find("pipelines");
  if (!pipelines) {
    plan.pipeline = count(config.at("pipeline"), most_ranks);
    plan.data = count(config.at("data"), most_ranks);
    if (const auto tensor = config.find("tensor")) plan.tensor = count(*tensor, most_ranks);
    if (const auto context = config.find("context")) {
      plan.context = count(*context, most_ranks);
      plan.context_where = context->where();
    }
    if (const auto layers = config.find("layers_per_stage")) plan.layers_per_stage = counts(*layers);
    return;
  }
  for (const char* key : {"pipeline", "data", "tensor", "context", "layers_per_stage"})
    if (const auto value = config.find(key))
      throw value->error(fmt::format("plan.{} beside plan.pipelines", key), "the list says what each replica is like",
                         "one of the two");
  for (const Config& item : pipelines->items()) plan.pipelines.push_back(read_pipeline(item));
  if (plan.pipelines.empty()) throw pipelines->error("an empty list", "", "one entry per kind of replica");
}

void read_zero(const Config& config, PlanSettings& plan) {
  if (const auto zero = config.find("zero")) {
    plan.zero = static_cast<std::size_t>(zero->integer(0, 3));
    plan.zero_where = zero->where();
  }
  const auto shards = config.find("shards");
  if (!shards) return;
  plan.shards_where = shards->where();
  double sum = 0;
  for (const Config& item : shards->items()) {
    plan.shards.push_back(item.number(0, 1));
    sum += plan.shards.back();
  }
  if (std::abs(sum - 1) > 1e-6)
    throw shards->error(fmt::format("the shares add up to {:.6g}", sum), "together they are all there is",
                        "shares with sum 1");
  for (double& share : plan.shards) share /= sum;
}

}  // namespace

PlanSettings read_plan_settings(const Config& config) {
  PlanSettings plan;
  if (const auto workload = config.find("workload")) plan.workload = workload->text();
  read_replicas(config, plan);
  if (const auto expert = config.find("expert")) {
    plan.expert = count(*expert, most_ranks);
    plan.expert_where = expert->where();
  }
  if (const auto balance = config.find("balance")) plan.balance = read_balance(*balance);
  const Config schedule = config.at("schedule");
  plan.schedule = schedule.text();
  plan.schedule_where = schedule.where();
  if (const auto chunks = config.find("virtual_stages")) plan.virtual_stages = count(*chunks, most_ranks);
  if (const auto warm_up = config.find("warm_up")) {
    plan.warm_up = read_warm_up(*warm_up);
    plan.warm_up_where = warm_up->where();
  }
  const Config gradient_sync = config.at("gradient_sync");
  plan.gradient_sync = gradient_sync.text();
  plan.gradient_sync_where = gradient_sync.where();
  read_zero(config, plan);
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
  if (const auto sequence = config.find("sequence_parallel")) {
    plan.sequence_parallel = sequence->flag();
    plan.sequence_parallel_where = sequence->where();
  }
  return plan;
}

}  // namespace longhaul
