#include "analysis/record_file.hpp"

#include <limits>

#include "sim/base/file.hpp"
#include "sim/description/config.hpp"

namespace longhaul {
namespace {

constexpr std::size_t largest_file = 64U << 20U;  // bytes
constexpr double most = std::numeric_limits<double>::max();

std::size_t count(const Config& value, std::int64_t least = 0) {
  return static_cast<std::size_t>(value.integer(least, std::numeric_limits<std::uint32_t>::max()));
}

Seconds seconds(const Config& value) { return Seconds(value.number(0, most)); }

std::string text_or_nothing(const Config& value) { return value.is_nothing() ? "" : value.text(); }

// Reads what the plan says about its runtime beyond names and flags.
void read_choices(const Config& json, Plan& plan) {
  if (const std::optional<Config> chunks = json.find("virtual_stages")) plan.virtual_stages = count(*chunks, 1);
  if (const std::optional<Config> warm_up = json.find("warm_up"))
    for (const Config& ahead : warm_up->items()) plan.warm_up.push_back(count(ahead));
  if (const std::optional<Config> zero = json.find("zero")) plan.zero = count(*zero);
  if (const std::optional<Config> context = json.find("context")) plan.degrees.context = count(*context, 1);
  if (const std::optional<Config> expert = json.find("expert")) plan.expert = count(*expert, 1);
  for (const Config& share : json.at("shards").items()) plan.shards.push_back(share.number(0, 1));
  if (const std::optional<Config> sequence = json.find("sequence_parallel"))
    plan.sequence_parallel = sequence->flag();
  plan.sync_groups = count(json.at("sync_groups"), 1);
  for (const Config& order : json.at("ring_orders").items()) {
    plan.ring_orders.emplace_back();
    for (const Config& replica : order.items()) plan.ring_orders.back().emplace_back(count(replica));
  }
  const Config compression = json.at("compression");
  const auto parsed = [](const Config& value, const char* key) {
    return parse_compression(value.text(), key, value.where());
  };
  const auto method = [&](const char* key) {
    const Config value = compression.at(key);
    if (!value.is_map()) return PathCompression(parsed(value, key));
    std::array<Compression, 3> by_reach;
    for (std::size_t i = 0; i < by_reach.size(); ++i) by_reach[i] = parsed(value.at(reach_names[i]), key);
    return PathCompression(by_reach);
  };
  plan.activation_compression = method("activations");
  plan.gradient_compression = method("gradients");
  const Config rate = compression.at("rate");
  if (!rate.is_nothing()) plan.compression_rate = BytesPerSecond(rate.number(0, most));
}

StageMemory read_memory(const Config& json) {
  const auto part = [&](const char* name) { return Bytes(json.at(name).number(0, most)); };
  StageMemory memory;
  memory.stage = Stage(count(json.at("stage")));
  if (const Config replica = json.at("replica"); !replica.is_nothing()) memory.replica = Replica(count(replica));
  memory.in_flight = count(json.at("in_flight"));
  memory.parameters = part("parameters");
  memory.gradients = part("gradients");
  memory.optimizer = part("optimizer");
  memory.activations = part("activations");
  memory.messages = part("messages");
  memory.working_set = part("working_set");
  memory.logits = part("logits");
  memory.fragmentation = part("fragmentation");
  if (const std::optional<Config> runtime = json.find("runtime")) memory.runtime = Bytes(runtime->number(0, most));
  const Config device = json.at("device_bytes");
  if (!device.is_nothing()) memory.device = Bytes(device.number(0, most));
  return memory;
}

PipelinePlan read_pipeline(const Config& json) {
  PipelinePlan pipeline;
  for (const Config& layers : json.at("layers").items()) pipeline.layers.push_back(count(layers));
  for (const Config& slices : json.at("tensor").items()) pipeline.tensor.push_back(count(slices, 1));
  pipeline.micro_batch_size = count(json.at("micro_batch_size"));
  pipeline.micro_batches = count(json.at("micro_batches"));
  for (const Config& ahead : json.at("warm_up").items()) pipeline.warm_up.push_back(count(ahead));
  pipeline.device_type = text_or_nothing(json.at("device_type"));
  return pipeline;
}

Plan read_plan(const Config& json) {
  Plan plan;
  plan.workload = json.at("workload").text();
  plan.degrees = {count(json.at("pipeline"), 1), count(json.at("data"), 1), count(json.at("tensor"), 1)};
  for (const Config& layers : json.at("layers_per_stage").items()) plan.layers_per_stage.push_back(count(layers));
  plan.micro_batch_size = count(json.at("micro_batch_size"));
  plan.micro_batches = count(json.at("micro_batches"));
  for (const Config& pipeline : json.at("pipelines").items()) plan.pipelines.push_back(read_pipeline(pipeline));
  plan.passes = count(json.at("passes"));
  plan.schedule = json.at("schedule").text();
  plan.phase_barrier = json.at("phase_barrier").flag();
  plan.synchronous_transfers = json.at("synchronous_transfers").flag();
  plan.gradient_sync = json.at("gradient_sync").text();
  read_choices(json, plan);
  for (const Config& rank : json.at("rank_of_device").items()) plan.rank_of_device.emplace_back(count(rank));
  return plan;
}

Metrics read_metrics(const Config& json) {
  Metrics metrics;
  metrics.iteration = seconds(json.at("iteration_seconds"));
  metrics.throughput = FlopsPerSecond(json.at("pflops").number(0, most / 1e15) * 1e15);
  metrics.flops = Flops(metrics.throughput.value * metrics.iteration.value);
  metrics.samples = count(json.at("samples"));
  metrics.samples_per_second = json.at("samples_per_second").number(0, most);
  metrics.tasklets = count(json.at("tasklets"));
  const Config parts = json.at("breakdown");
  const auto part = [&](const char* name) { return Seconds(parts.at(name).at("seconds").number(-most, most)); };
  metrics.breakdown = {part("compute"), part("pipeline_bubble"), part("exposed_activation_transfer"),
                       part("exposed_gradient_sync"), part("barriers")};
  return metrics;
}

RunRecord read_record(const Config& json) {
  RunRecord record;
  record.scenario = text_or_nothing(json.at("scenario"));
  record.scheduler = json.at("scheduler").text();
  record.seed = static_cast<std::uint64_t>(json.at("seed").integer(0, std::numeric_limits<std::int64_t>::max()));
  const Config cost = json.at("cost_model");
  if (!cost.is_nothing())
    record.cost = PlanCost{seconds(cost.at("data_parallel_seconds")), seconds(cost.at("pipeline_seconds"))};
  const Config search = json.at("search");
  record.evaluations = count(search.at("evaluations"));
  record.best_evaluation = count(search.at("best_evaluation"));
  if (const std::optional<Config> order = search.find("stage_order")) record.stage_order = order->text();
  if (const std::optional<Config> reason = json.find("reason")) record.reason = reason->text();
  if (const std::optional<Config> engine = json.find("engine")) record.engine = engine->text();
  record.metrics = read_metrics(json);
  if (const std::optional<Config> fast = json.find("fast")) {
    record.fast_iteration = seconds(fast->at("iteration_seconds"));
    record.doubt = text_or_nothing(fast->at("doubt"));
  }
  if (const std::optional<Config> iterations = json.find("iterations"))
    record.iterations = Iterations{count(iterations->at("count")), seconds(iterations->at("mean_seconds"))};
  if (const std::optional<Config> recorded = json.find("recorded")) {
    record.recorded = seconds(recorded->at("seconds"));
    record.recorded_source = text_or_nothing(recorded->at("source"));
  }
  if (const std::optional<Config> collectives = json.find("collectives"))
    for (const Config& name : collectives->items()) record.collectives.push_back(name.text());
  if (const std::optional<Config> memory = json.find("memory"))
    for (const Config& stage : memory->items()) record.memory.push_back(read_memory(stage));
  if (const std::optional<Config> computing = json.find("computing"))
    for (const Config& item : computing->items())
      record.computing.push_back({item.at("device_type").text(), item.at("origin").text()});
  record.plan = read_plan(json.at("plan"));
  return record;
}

}  // namespace

std::string read_result_text(const std::string& path) { return read_text_file(path, largest_file); }

// JSON is YAML too, and Config knows where everything stands.
RunRecord read_record(const std::string& path) { return read_record(Config::parse(read_result_text(path), path)); }

std::vector<RunRecord> read_records(const std::string& path) {
  const Config list = Config::parse("{records: " + read_result_text(path) + "}", path).at("records");
  std::vector<RunRecord> records;
  for (const Config& item : list.items()) records.push_back(read_record(item));
  if (records.empty()) throw list.error("no records", "", "what `longhaul compare --out` writes");
  return records;
}

}  // namespace longhaul
