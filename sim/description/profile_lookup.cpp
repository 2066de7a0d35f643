#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/description/layer_profile.hpp"

namespace longhaul {
namespace {

constexpr double furthest = 2;  // how far outside what was measured a line goes on

// Times of one setting of a series, and how they were had where they were not measured.
struct Setting {
  PartTimes embedding, layer, head;
  std::string how;
};

struct Scales {
  double forward = 1, backward = 1, update = 1;
};

template <class Amount>
std::optional<Amount> mix(const std::optional<Amount>& a, const std::optional<Amount>& b, double weight) {
  if (!a || !b) return std::nullopt;
  return Amount(std::max(0.0, a->value + (b->value - a->value) * weight));
}

PartTimes mix(const PartTimes& a, const PartTimes& b, double weight) {
  return {Seconds(std::max(0.0, a.forward.value + (b.forward.value - a.forward.value) * weight)),
          Seconds(std::max(0.0, a.backward.value + (b.backward.value - a.backward.value) * weight)),
          mix(a.update, b.update, weight), mix(a.activations, b.activations, weight)};
}

Setting mix(const Setting& a, const Setting& b, double weight, const std::string& how) {
  return {mix(a.embedding, b.embedding, weight), mix(a.layer, b.layer, weight), mix(a.head, b.head, weight), how};
}

PartTimes scaled(PartTimes times, const Scales& scales) {
  times.forward = times.forward * scales.forward;
  times.backward = times.backward * scales.backward;
  if (times.update) times.update = *times.update * scales.update;
  return times;
}

void bound(PartTimes& times, const PartTimes& by) {
  times.forward = std::min(times.forward, by.forward);
  times.backward = std::min(times.backward, by.backward);
}

// The settings of a tensor degree by micro-batch, none slower than a larger one.
std::vector<std::pair<double, Setting>> by_micro_batch(const ProfileSeries& series, std::size_t tensor) {
  std::vector<std::pair<double, Setting>> settings;
  for (const ProfileEntry& entry : series.entries)
    if (entry.tensor == tensor)
      settings.push_back({static_cast<double>(entry.micro_batch), {entry.embedding, entry.layer, entry.head, ""}});
  std::sort(settings.begin(), settings.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = settings.size(); i-- > 1;) {
    Setting& smaller = settings[i - 1].second;
    const Setting& larger = settings[i].second;
    if (larger.layer.forward < smaller.layer.forward || larger.layer.backward < smaller.layer.backward)
      smaller.how = fmt::format("bounded by micro-batch {}", settings[i].first);
    bound(smaller.embedding, larger.embedding);
    bound(smaller.layer, larger.layer);
    bound(smaller.head, larger.head);
  }
  return settings;
}

// On the line through the points around `x`, or, up to the furthest factor outside, through the two next to it.
std::optional<Setting> on_line(const std::vector<std::pair<double, Setting>>& points, double x, const char* what) {
  const auto at = std::find_if(points.begin(), points.end(), [x](const auto& point) { return point.first >= x; });
  if (at != points.end() && at->first == x) return at->second;
  if (points.size() < 2) return std::nullopt;
  if (at == points.begin() && x * furthest < at->first) return std::nullopt;
  if (at == points.end() && x > points.back().first * furthest) return std::nullopt;
  const auto right = at == points.begin() ? at + 1 : (at == points.end() ? at - 1 : at);
  const auto left = right - 1;
  const bool outside = at == points.begin() || at == points.end();
  return mix(left->second, right->second, (x - left->first) / (right->first - left->first),
             fmt::format("{} {}", outside ? "extrapolated by" : "interpolated by", what));
}

std::optional<Setting> setting_of(const ProfileSeries& series, std::size_t tensor, std::size_t micro_batch) {
  std::vector<std::size_t> degrees;
  for (const ProfileEntry& entry : series.entries)
    if (std::find(degrees.begin(), degrees.end(), entry.tensor) == degrees.end()) degrees.push_back(entry.tensor);
  std::vector<std::pair<double, Setting>> shares;  // by 1 / degree
  for (const std::size_t degree : degrees) {
    auto setting = on_line(by_micro_batch(series, degree), static_cast<double>(micro_batch), "micro-batch");
    if (!setting) continue;
    if (degree == tensor) return setting;
    shares.push_back({1 / static_cast<double>(degree), *setting});
  }
  std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return on_line(shares, 1 / static_cast<double>(tensor), "tensor degree");
}

std::string origin_of(const Setting& setting, const std::string& scaling) {
  if (scaling.empty() && setting.how.empty()) return "measured";
  if (scaling.empty()) return setting.how;
  return setting.how.empty() ? scaling : scaling + ", " + setting.how;
}

// A head that was not measured takes a layer's time per FLOP.
ProfiledTimes result_of(const ProfileQuery& query, Setting setting, const std::string& scaling) {
  if (query.model.head != Head::none && setting.head.forward == Seconds()) {
    const double share = head_forward_flops(query.model) / layer_forward_flops(query.model);
    setting.head.forward = setting.layer.forward * share;
    setting.head.backward = setting.layer.backward * share;
  }
  return {setting.embedding, setting.layer, setting.head, origin_of(setting, scaling)};
}

double distance(double a, double b) { return std::abs(std::log(a / b)); }

class Lookup {
 public:
  Lookup(const LayerProfile& profile, const ProfileQuery& query) : profile_(profile), query_(query) {}

  std::optional<ProfiledTimes> measured() const {
    for (const ProfileSeries& series : profile_.series)
      if (is_model(series) && series.device_type == query_.device_type)
        if (const auto setting = setting_of(series)) return result_of(query_, *setting, "");
    return std::nullopt;
  }

  // The model on the nearest other device, of those first that another model knows beside this one.
  std::optional<ProfiledTimes> from_other_device() const {
    std::optional<ProfiledTimes> best;
    double nearest = 0;
    bool known = false;
    for (const ProfileSeries& series : profile_.series) {
      if (!is_model(series) || series.device_type == query_.device_type) continue;
      const auto setting = setting_of(series);
      if (!setting) continue;
      std::string by;
      std::optional<Scales> scales = measured_ratio(series.device_type, by);
      const bool measured = scales.has_value();
      if (!scales) scales = ratio_of_figures(series.device_type, by);
      if (!scales) continue;
      const double far = distance_of(series.device_type);
      if (best && (known > measured || (known == measured && far >= nearest))) continue;
      known = measured;
      nearest = far;
      best = result_of(query_,
                       {scaled(setting->embedding, *scales), scaled(setting->layer, *scales),
                        scaled(setting->head, *scales), setting->how},
                       fmt::format("scaled from {} by {}", series.device_type, by));
    }
    return best;
  }

  // The nearest other model on the device, or with `same_name` the model itself at another sequence length.
  std::optional<ProfiledTimes> from_other_model(bool same_name) const {
    std::optional<ProfiledTimes> best;
    double nearest = 0;
    const double flops = layer_forward_flops(query_.model).value;
    for (const ProfileSeries& series : profile_.series) {
      if (series.precision != query_.precision || series.device_type != query_.device_type) continue;
      if (same_name && series.model != query_.model.name) continue;
      const auto setting = setting_of(series);
      const double far = distance(layer_forward_flops(series.shape).value, flops);
      if (!setting || (best && far >= nearest)) continue;
      nearest = far;
      best = result_of(query_, to_model(*setting, series.shape),
                       fmt::format("scaled from {} of sequence {} by FLOP", series.model, series.shape.sequence));
    }
    return best;
  }

 private:
  bool is_model(const ProfileSeries& series) const {
    return series.model == query_.model.name && series.shape.sequence == query_.model.sequence &&
           series.precision == query_.precision;
  }

  std::optional<Setting> setting_of(const ProfileSeries& series) const {
    return longhaul::setting_of(series, query_.tensor, query_.micro_batch);
  }

  Setting to_model(const Setting& setting, const Model& from) const {
    const Model& to = query_.model;
    const double layer = layer_forward_flops(to) / layer_forward_flops(from);
    const double update = parameters_per_layer(to) / parameters_per_layer(from);
    const double width =
        static_cast<double>(to.sequence * to.hidden) / static_cast<double>(from.sequence * from.hidden);
    const bool heads = to.head == Head::language_model && from.head == Head::language_model;
    const double head = heads ? head_forward_flops(to) / head_forward_flops(from) : 0;
    return {scaled(setting.embedding, {width, width, update}), scaled(setting.layer, {layer, layer, update}),
            scaled(setting.head, {head, head, update}), setting.how};
  }

  // What another model's layer takes on the asked device, in shares of what it takes on `device`.
  std::optional<Scales> measured_ratio(const std::string& device, std::string& by) const {
    for (const ProfileSeries& here : profile_.series) {
      if (here.device_type != query_.device_type || here.precision != query_.precision) continue;
      for (const ProfileSeries& there : profile_.series) {
        if (there.device_type != device || there.precision != here.precision || there.model != here.model ||
            there.shape.sequence != here.shape.sequence)
          continue;
        const auto a = setting_of(there);
        const auto b = setting_of(here);
        if (!a || !b || a->layer.forward == Seconds() || a->layer.backward == Seconds()) continue;
        by = "what " + here.model + " takes on both";
        Scales scales{b->layer.forward / a->layer.forward, b->layer.backward / a->layer.backward, 1};
        scales.update = a->layer.update && b->layer.update ? *b->layer.update / *a->layer.update : scales.backward;
        return scales;
      }
    }
    return std::nullopt;
  }

  std::optional<Scales> ratio_of_figures(const std::string& device, std::string& by) const {
    const DeviceType* from = find_device_type(profile_.device_types, device);
    const DeviceType* to = find_device_type(profile_.device_types, query_.device_type);
    if (from == nullptr || to == nullptr) return std::nullopt;
    const auto from_peak = peak_in(*from, query_.precision);
    const auto to_peak = peak_in(*to, query_.precision);
    if (!from_peak || !to_peak) return std::nullopt;
    double factor = *from_peak / *to_peak;
    double memory = factor;
    by = "peak";
    if (from->memory_bandwidth && to->memory_bandwidth) {
      memory = *from->memory_bandwidth / *to->memory_bandwidth;
      if (memory > factor) by = "memory bandwidth";
      factor = std::max(factor, memory);
    }
    return Scales{factor, factor, memory};
  }

  double distance_of(const std::string& device) const {
    const DeviceType* from = find_device_type(profile_.device_types, device);
    const DeviceType* to = find_device_type(profile_.device_types, query_.device_type);
    if (from == nullptr || to == nullptr) return 1e9;
    return distance(from->peak.value, to->peak.value);
  }

  const LayerProfile& profile_;
  const ProfileQuery& query_;
};

[[noreturn]] void refuse(const LayerProfile& profile, const ProfileQuery& query) {
  std::vector<std::string> settings;
  std::vector<std::string> others;
  for (const ProfileSeries& series : profile.series) {
    const bool device = series.device_type == query.device_type;
    if (device && series.precision == query.precision && series.model == query.model.name)
      for (const ProfileEntry& entry : series.entries)
        settings.push_back(fmt::format("tensor {} micro_batch {}", entry.tensor, entry.micro_batch));
    const std::string other = fmt::format("{} in {} on {}", series.model, series.precision, series.device_type);
    if (others.size() < 20 && std::find(others.begin(), others.end(), other) == others.end()) others.push_back(other);
  }
  throw UserError(
      profile.where,
      fmt::format("profile '{}' has nothing for {} in {} on {} at tensor {} and micro_batch {}", profile.name,
                  query.model.name, query.precision, query.device_type, query.tensor, query.micro_batch),
      settings.empty() ? "neither this model nor another was measured on this device type, nor can it be "
                         "scaled from another"
                       : "it was not measured near there",
      fmt::format("{}", fmt::join(settings.empty() ? others : settings, ", ")));
}

}  // namespace

ProfiledTimes profiled_times(const LayerProfile& profile, const ProfileQuery& query) {
  const Lookup lookup(profile, query);
  if (const auto times = lookup.measured()) return *times;
  if (const auto times = lookup.from_other_model(true)) return *times;
  if (const auto times = lookup.from_other_device()) return *times;
  if (const auto times = lookup.from_other_model(false)) return *times;
  refuse(profile, query);
}

std::optional<ProfiledActivations> profiled_activations(const LayerProfile& profile, const ProfileQuery& query) {
  for (const ProfileSeries& series : profile.series) {
    if (series.model != query.model.name || series.shape.sequence != query.model.sequence ||
        series.precision != query.precision)
      continue;
    for (const ProfileEntry& entry : series.entries) {
      if (entry.tensor != query.tensor || !entry.layer.activations) continue;
      const double share = static_cast<double>(query.micro_batch) / static_cast<double>(entry.micro_batch);
      return ProfiledActivations{entry.embedding.activations.value_or(Bytes()) * share,
                                 *entry.layer.activations * share, entry.head.activations.value_or(Bytes()) * share};
    }
  }
  return std::nullopt;
}

}  // namespace longhaul
