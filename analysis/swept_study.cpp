#include "analysis/swept_study.hpp"

#include <algorithm>
#include <limits>

#include "analysis/record_file.hpp"
#include "sim/description/config.hpp"

namespace longhaul {
namespace {

constexpr double most = std::numeric_limits<double>::max();
constexpr const char* accepted = "what `longhaul sweep` writes";

std::string text_or_nothing(const std::optional<Config>& value) {
  return !value || value->is_nothing() ? "" : value->text();
}

// `numeric` holds a number per value, or nulls or nothing at all where the values are no numbers.
std::vector<double> numbers_of(const Config& json) {
  std::vector<double> numbers;
  for (const Config& number : json.items()) {
    if (number.is_nothing() || (!number.is_list() && !number.is_map() && number.text() == "null")) return {};
    numbers.push_back(number.number(-most, most));
  }
  return numbers;
}

SweptAxis read_axis(const Config& json) {
  SweptAxis axis;
  axis.name = json.at("name").text();
  axis.unit = text_or_nothing(json.find("unit"));
  for (const Config& value : json.at("values").items()) axis.values.push_back(value.text());
  axis.numbers = numbers_of(json.at("numeric"));
  axis.samples = json.at("samples").flag();
  if (!axis.numbers.empty() && axis.numbers.size() != axis.values.size())
    throw json.error("values and numeric differ in length", "", "one number per value");
  return axis;
}

template <class Items, class Matches>
std::size_t position(const Items& items, const Config& where, const char* what, Matches matches) {
  const auto found = std::find_if(items.begin(), items.end(), matches);
  if (found == items.end()) throw where.error(what, "", accepted);
  return static_cast<std::size_t>(found - items.begin());
}

std::size_t metric_named(const SweptStudy& study, const Config& name) {
  return position(study.metrics, name, "the study has no such metric",
                  [&](const SweptMetric& metric) { return metric.name == name.text(); });
}

SweptFigure read_figure(const Config& json, const SweptStudy& study) {
  SweptFigure figure;
  const auto index = [&](const Config& value, std::size_t count) {
    return static_cast<std::size_t>(value.integer(0, static_cast<std::int64_t>(count) - 1));
  };
  figure.title = text_or_nothing(json.at("title"));
  figure.x = index(json.at("x"), study.axes.size());
  figure.y = study.metrics[metric_named(study, json.at("y"))].name;
  figure.y_label = text_or_nothing(json.at("y_label"));
  if (const auto reference = json.find("reference"))
    figure.reference = index(*reference, study.axes[figure.x].values.size());
  return figure;
}

SweptPoint read_point(const Config& json, const std::vector<SweptAxis>& axes) {
  SweptPoint point;
  const Config place = json.at("axes");
  for (const SweptAxis& axis : axes) {
    const std::optional<Config> label = place.find(axis.name);
    point.place.push_back(
        !label ? std::nullopt
               : std::optional(position(axis.values, *label, "the axis has no such value",
                                        [&](const std::string& one) { return one == label->text(); })));
  }
  point.mean = json.at("mean").number(-most, most);
  point.p10 = json.at("p10").number(-most, most);
  point.p50 = json.at("p50").number(-most, most);
  point.p90 = json.at("p90").number(-most, most);
  point.count = static_cast<std::size_t>(json.at("count").integer(1, std::numeric_limits<std::uint32_t>::max()));
  return point;
}

}  // namespace

bool SweptStudy::has_samples() const {
  return std::any_of(axes.begin(), axes.end(), [](const SweptAxis& axis) { return axis.samples; });
}

SweptStudy read_swept_study(const std::string& path) {
  const Config json = Config::parse(read_result_text(path), path);
  const Config described = json.at("study");
  SweptStudy study;
  study.name = described.at("name").text();
  study.description = text_or_nothing(described.find("description"));
  for (const Config& axis : described.at("axes").items()) study.axes.push_back(read_axis(axis));
  for (const Config& name : described.at("metrics").items()) study.metrics.push_back({name.text(), {}});
  if (const auto figure = described.find("figure"); figure && figure->is_map())
    study.figure = read_figure(*figure, study);
  for (const Config& row : json.at("summary").items())
    study.metrics[metric_named(study, row.at("metric"))].points.push_back(read_point(row, study.axes));
  return study;
}

}  // namespace longhaul
