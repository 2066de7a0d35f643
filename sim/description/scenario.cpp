#include "sim/description/scenario.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sim/description/link_changes.hpp"
#include "sim/description/rank_map.hpp"

namespace longhaul {
namespace {

constexpr std::int64_t most_ranks = 1'000'000;
constexpr std::int64_t most_micro_batches = 1'000'000;

std::size_t count(const Config& config, std::int64_t most) {
  return static_cast<std::size_t>(config.integer(1, most));
}

// A whole number, or one that depends on the number of layers: {40: 62, otherwise: 64}.
std::size_t read_micro_batches(const Config& config, std::int64_t layers) {
  if (!config.is_map()) return count(config, most_micro_batches);
  std::optional<std::size_t> exact;
  std::optional<std::size_t> otherwise;
  for (const auto& [key, value] : config.entries()) {
    const std::size_t number = count(value, most_micro_batches);
    if (key == std::to_string(layers))
      exact = number;
    else if (key == "otherwise")
      otherwise = number;
    else if (key.empty() || key.find_first_not_of("0123456789") != std::string::npos)
      throw value.error(fmt::format("'{}' is not a number of layers", key), "", "{LAYERS: COUNT, otherwise: COUNT}");
  }
  if (exact) return *exact;
  if (!otherwise)
    throw config.error(fmt::format("nothing is said for {} layers", layers), "", "{LAYERS: COUNT, otherwise: COUNT}");
  return *otherwise;
}

void read_efficiency(const Config& config, ComputeModel& compute) {
  compute.efficiency_where = config.where();
  if (!config.is_map()) {
    compute.efficiency = config.number(1e-6, 1);
    return;
  }
  for (const auto& [type, share] : config.entries())
    compute.efficiency_by_type.emplace_back(type, share.number(1e-6, 1));
  if (compute.efficiency_by_type.empty()) throw config.error("no device type", "", "{TYPE: SHARE, …}");
}

void read_speed_factor(const Config& config, ComputeModel& compute) {
  constexpr double least = 1e-3;
  constexpr double most = 1e3;
  compute.speed_factor_where = config.where();
  if (!config.is_map()) {
    compute.speed_factor = config.number(least, most);
    return;
  }
  for (const auto& [type, factor] : config.entries())
    compute.speed_factor_by_type.emplace_back(type, factor.number(least, most));
}

Recompute read_recompute(const Config& config) {
  const std::string name = config.choice({"none", "selective", "full"});
  if (name == "selective") return Recompute::selective;
  return name == "full" ? Recompute::full : Recompute::none;
}

// Exactly one of an efficiency, kernels, a profile and measured times says how long forward and backward take.
ComputeModel read_compute(const Config& config) {
  constexpr const char* choices =
      "efficiency: 0.4, or kernels: {…}, or profile: NAME, or forward and backward: 20 ms";
  ComputeModel compute;
  const auto forward = config.find("forward");
  const auto backward = config.find("backward");
  const auto efficiency = config.find("efficiency");
  const auto profile = config.find("profile");
  const auto kernels = config.find("kernels");
  if (forward.has_value() != backward.has_value())
    throw config.error("forward and backward go together", "one is measured, the other is not", "both or neither");
  const int given = (efficiency ? 1 : 0) + (profile ? 1 : 0) + (forward ? 1 : 0) + (kernels ? 1 : 0);
  if (given == 0)
    throw config.error("neither efficiency nor measured times", "computing would take unknown time", choices);
  if (given > 1) throw config.error("more than one source of computing times", "one would hide the other", choices);
  if (efficiency) read_efficiency(*efficiency, compute);
  if (profile) compute.profile = find_layer_profile(profile->text(), profile->where());
  if (kernels) compute.kernels = read_kernel_model(*kernels);
  if (forward) compute.forward = forward->duration();
  if (backward) compute.backward = backward->duration();
  if (const auto half_work = config.find("half_work")) {
    if (!efficiency)
      throw half_work->error("no efficiency beside it", "it bends the efficiency", "this key with efficiency");
    compute.half_work = half_work->work();
  }
  if (const auto factor = config.find("speed_factor")) read_speed_factor(*factor, compute);
  if (const auto overhead = config.find("overhead")) compute.overhead = overhead->duration();
  const auto weight_update = config.find("weight_update");
  if (weight_update) compute.weight_update = weight_update->duration();
  if (const auto rate = config.find("weight_update_rate")) {
    if (weight_update) throw rate->error("a rate beside a measured time", "the time would hide it", "one of the two");
    compute.weight_update_rate = rate->bandwidth();
  }
  return compute;
}

// Factors that are not 1; 0 = the device type has no such peak.
std::vector<std::pair<std::string, double>> peak_factors(const std::string& precision) {
  std::vector<std::pair<std::string, double>> factors;
  for (const DeviceType& type : device_types()) {
    const auto peak = peak_in(type, precision);
    const double factor = peak ? *peak / type.peak : 0;
    if (factor != 1) factors.emplace_back(type.name, factor);
  }
  return factors;
}

void read_offload(const Config& config, Job& job) {
  if (const auto offload = config.find("optimizer_offload")) job.optimizer_offload = offload->flag();
  const auto activations = config.find("activation_offload");
  if (activations) job.activation_offload = activations->flag();
  const auto bandwidth = config.find("offload_bandwidth");
  if (job.activation_offload && !bandwidth)
    throw activations->error("activations are offloaded over an unknown link", "it would take no time",
                             "job.offload_bandwidth: host_link, or a bandwidth");
  if (!bandwidth) return;
  if (!job.activation_offload && !job.optimizer_offload)
    throw bandwidth->error("nothing is offloaded", "",
                           "this key with optimizer_offload: true or activation_offload: true");
  job.offload_where = bandwidth->where();
  if (bandwidth->text() == "host_link")
    job.host_links = device_types();
  else
    job.offload_bandwidth = bandwidth->bandwidth();
}

Keep read_keep(const Config& config) {
  Keep keep;
  const std::vector<std::pair<std::string, bool*>> parts{{"degrees", &keep.degrees},
                                                         {"micro_batch", &keep.micro_batch},
                                                         {"runtime", &keep.runtime},
                                                         {"sync", &keep.sync},
                                                         {"placement", &keep.placement}};
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.first);
  for (const Config& item : config.items()) {
    const std::string name = item.choice(names);
    for (const auto& [part, flag] : parts)
      if (part == name) *flag = true;
  }
  return keep;
}

SearchOptions read_search(const Config& config) {
  constexpr std::int64_t most = 10'000'000;
  SearchOptions search;
  if (const auto value = config.find("population"))
    search.population = static_cast<std::size_t>(value->integer(2, 1'000'000));
  if (const auto value = config.find("trials")) search.trials = static_cast<std::size_t>(value->integer(0, most));
  if (const auto value = config.find("swap_interval"))
    search.swap_interval = static_cast<std::size_t>(value->integer(0, most));
  if (const auto value = config.find("annealing_interval"))
    search.annealing_interval = static_cast<std::size_t>(value->integer(0, most));
  if (const auto value = config.find("annealing_steps")) search.annealing_steps = count(*value, 1'000'000);
  if (const auto value = config.find("simulations")) search.simulations = count(*value, most);
  if (const auto value = config.find("time_budget")) search.time_budget = value->duration(Sign::positive);
  if (const auto value = config.find("keep")) search.keep = read_keep(*value);
  if (const auto value = config.find("annealing_heat")) search.annealing_heat = value->number(0, 1);
  if (search.annealing_interval > 0 && search.trials / search.annealing_interval * search.annealing_steps > most)
    throw config.error(fmt::format("{} trials with {} annealing steps after every {}", search.trials,
                                   search.annealing_steps, search.annealing_interval),
                       "the search would take days", fmt::format("at most {} annealing steps in all", most));
  return search;
}

Cluster read_cluster_to_change(const std::string& platform, const Config& links) {
  if (std::filesystem::path(platform).extension() == ".xml")
    throw links.error("the platform is a SimGrid file", "only links of a cluster description can be changed by class",
                      "a platform from a cluster description (.yaml)");
  return read_cluster(platform);
}

}  // namespace

ScenarioSource::ScenarioSource(const std::string& path) : files_{path}, config_(Config::read_file(path)) {}

void ScenarioSource::set_value(const std::string& dotted_key, const Config& value) {
  files_.push_back(value.where().file);
  config_.override_with_value(dotted_key, value);
}

void ScenarioSource::set(const std::string& assignment) {
  config_.override_with(assignment);
  const std::string key = assignment.substr(0, assignment.find('='));
  const bool varies = key == "job.layers" || key == "job.global_batch" || key.rfind("scheduler.", 0) == 0;
  altered_ = altered_ || !varies;
}

std::string ScenarioSource::resolve(const Config& path) const {
  const std::filesystem::path given = path.text();
  const std::string& file = path.where().file;
  if (given.is_absolute() || std::find(files_.begin(), files_.end(), file) == files_.end()) return given.string();
  return (std::filesystem::path(file).parent_path() / given).lexically_normal().string();
}

std::vector<RankId> ScenarioSource::read_ranks(const Config& value) const {
  if (!value.is_list()) return read_rank_map(resolve(value));
  std::vector<RankId> ranks;
  for (const Config& item : value.items()) ranks.emplace_back(static_cast<std::size_t>(item.integer(0, most_ranks)));
  check_permutation(ranks, value.where());
  return ranks;
}

Job ScenarioSource::read_job(const Config& config) const {
  Job job;
  const Config model = config.at("model");
  job.model = model.is_map() ? read_model(model) : find_model(model.text(), model.where());
  if (const auto layers = config.find("layers")) job.model.layers = layers->integer(1, 100'000);
  job.precision = config.at("precision").choice({"fp16", "bf16", "fp32"});
  job.recompute = read_recompute(config.at("recompute"));
  if (const auto kept = config.find("kept_per_layer")) job.kept_per_layer = count(*kept, 1000);
  read_offload(config, job);
  if (const auto live = config.find("live_parameters")) job.live_parameters = live->number(1, 1e15);
  if (const auto memory = config.find("runtime_memory")) job.runtime_memory = memory->bytes(Sign::not_negative);
  job.micro_batch = count(config.at("micro_batch"), 1'000'000);
  job.micro_batches = read_micro_batches(config.at("micro_batches"), job.model.layers);
  if (const auto batch = config.find("global_batch")) job.global_batch = count(*batch, 1'000'000'000);
  if (const auto iterations = config.find("iterations")) job.iterations = count(*iterations, 1'000'000);
  if (const auto bytes = config.find("activation_bytes"))
    job.activation_bytes = bytes->bytes_or_count(Sign::not_negative);
  if (const auto bytes = config.find("gradient_bytes"))
    job.gradient_bytes = bytes->bytes_or_count(Sign::not_negative);
  job.compute = read_compute(config.at("compute"));
  job.compute.peak_factor_by_type = peak_factors(job.precision);
  job.compute.precision_where = config.at("precision").where();
  return job;
}

RecordedTiming ScenarioSource::read_recorded(const Config& config) const {
  RecordedTiming timing;
  timing.layers = count(config.at("layers"), 100'000);
  timing.global_batch = count(config.at("global_batch"), 1'000'000'000);
  const auto schedulers = config.find("schedulers");
  const auto rank_map = config.find("rank_map");
  if (schedulers)
    for (const Config& item : schedulers->items()) timing.schedulers.push_back(item.text());
  if (rank_map) timing.rank_map = read_ranks(*rank_map);
  if (!schedulers && !rank_map)
    throw config.error("a recorded timing of no placement", "", "schedulers: [NAME, …] or rank_map: FILE");
  timing.seconds = config.at("time").duration(Sign::positive);
  timing.source = config.at("source").text();
  return timing;
}

Culprits ScenarioSource::find_culprits() const {
  const auto culprit = [this](std::initializer_list<const char*> dotted_keys) {
    Location found;
    for (const std::string key : dotted_keys) {
      const std::size_t dot = key.find('.');
      const auto value = config_.at(key.substr(0, dot)).find(key.substr(dot + 1));
      if (value && (found.file.empty() || value->where().file != files_.front())) found = value->where();
    }
    return found;
  };
  return {
      culprit({"plan.pipeline", "plan.workload"}),
      culprit({"plan.pipeline", "plan.data", "plan.tensor"}),
      culprit({"plan.layers_per_stage", "job.layers", "plan.pipeline"}),
      culprit({"job.global_batch", "job.micro_batches", "job.micro_batch", "plan.data"}),
      culprit({"plan.schedule", "plan.virtual_stages", "plan.pipeline", "job.micro_batches", "plan.layers_per_stage",
               "job.layers"}),
      culprit({"plan.sync_groups", "plan.virtual_stages", "plan.layers_per_stage", "job.layers", "plan.pipeline"}),
      culprit({"job.micro_batches", "job.global_batch", "job.gradient_bytes", "network.chunk", "network.ring_chunk",
               "plan.gradient_sync"})};
}

Scenario ScenarioSource::read() const {
  Scenario scenario;
  scenario.name = config_.at("name").text();
  scenario.description = config_.at("description").text();
  const Config platform = config_.at("platform");
  scenario.platform = platform.is_map() ? platform.where().file : resolve(platform);
  if (platform.is_map()) scenario.cluster = read_cluster(platform);
  if (const auto links = config_.find("links")) {
    if (!scenario.cluster) scenario.cluster = read_cluster_to_change(scenario.platform, *links);
    change_links(*scenario.cluster, *links);
  }
  scenario.network = read_network_model(config_.at("network"));
  scenario.job = read_job(config_.at("job"));
  scenario.plan = read_plan_settings(config_.at("plan"));
  if (const auto scheduler = config_.find("scheduler")) {
    SchedulerSettings& settings = scenario.scheduler;
    if (const auto name = scheduler->find("name")) {
      settings.name = name->text();
      settings.name_where = name->where();
    }
    if (const auto seed = scheduler->find("seed"))
      settings.seed = static_cast<std::uint64_t>(seed->integer(0, std::numeric_limits<std::int64_t>::max()));
    if (const auto bytes = scheduler->find("gradient_bytes")) settings.gradient_bytes = bytes->bytes_or_count();
    if (const auto bytes = scheduler->find("activation_bytes")) settings.activation_bytes = bytes->bytes_or_count();
    if (const auto ranks = scheduler->find("rank_map")) {
      settings.rank_map = read_ranks(*ranks);
      settings.rank_map_where = ranks->where();
    }
    if (const auto order = scheduler->find("rank_order"))
      settings.megatron_order = order->choice({"pipeline_first", "megatron"}) == "megatron";
    settings.search = read_search(*scheduler);
  }
  if (const auto recorded = config_.find("recorded"))
    for (const Config& item : recorded->items()) scenario.recorded.push_back(read_recorded(item));
  if (altered_) scenario.recorded.clear();
  scenario.culprits = find_culprits();
  config_.reject_unread();
  return scenario;
}

}  // namespace longhaul
