#include "analysis/study_file.hpp"

#include <algorithm>
#include <limits>

#include "analysis/record_file.hpp"
#include "sim/description/config.hpp"

namespace longhaul {
namespace {

constexpr double most = std::numeric_limits<double>::max();

std::string text_or_nothing(const std::optional<Config>& value) {
  return !value || value->is_nothing() ? "" : value->text();
}

StudyAxis read_axis(const Config& json) {
  StudyAxis axis;
  axis.name = json.at("name").text();
  for (const Config& value : json.at("values").items()) axis.values.push_back(value.text());
  for (const Config& number : json.at("numeric").items()) {
    const bool none = number.is_nothing() || (!number.is_list() && !number.is_map() && number.text() == "null");
    axis.numbers.push_back(none ? std::nullopt : std::optional<double>(number.number(-most, most)));
  }
  axis.samples = json.at("samples").flag();
  if (axis.numbers.size() != axis.values.size())
    throw json.error("values and numeric differ in length", "", "one number or null per value");
  return axis;
}

std::size_t index_of(const StudyAxis& axis, const Config& value) {
  const auto found = std::find(axis.values.begin(), axis.values.end(), value.text());
  if (found == axis.values.end()) throw value.error("the axis has no such value", "", "what `longhaul sweep` writes");
  return static_cast<std::size_t>(found - axis.values.begin());
}

}  // namespace

bool StudyAxis::numeric() const {
  return std::all_of(numbers.begin(), numbers.end(), [](const auto& number) { return number.has_value(); });
}

std::vector<const StudyAxis*> StudyResult::plain_axes() const {
  std::vector<const StudyAxis*> plain;
  for (const StudyAxis& axis : axes)
    if (!axis.samples) plain.push_back(&axis);
  return plain;
}

bool StudyResult::has_samples() const {
  return std::any_of(axes.begin(), axes.end(), [](const StudyAxis& axis) { return axis.samples; });
}

StudyResult read_study(const std::string& path) {
  const Config json = Config::parse(read_result_text(path), path);
  const Config described = json.at("study");
  StudyResult study;
  study.name = described.at("name").text();
  study.description = text_or_nothing(described.find("description"));
  study.plan = text_or_nothing(described.find("plan"));
  for (const Config& axis : described.at("axes").items()) study.axes.push_back(read_axis(axis));
  for (const Config& name : described.at("metrics").items()) study.metrics.push_back({name.text(), {}});
  for (const Config& row : json.at("summary").items()) {
    const Config metric = row.at("metric");
    const auto found = std::find_if(study.metrics.begin(), study.metrics.end(),
                                    [&](const StudyMetric& one) { return one.name == metric.text(); });
    if (found == study.metrics.end())
      throw metric.error("the study has no such metric", "", "what `longhaul sweep` writes");
    StudyPoint point;
    const Config place = row.at("axes");
    for (const StudyAxis* axis : study.plain_axes()) point.place.push_back(index_of(*axis, place.at(axis->name)));
    point.mean = row.at("mean").number(-most, most);
    point.p10 = row.at("p10").number(-most, most);
    point.p50 = row.at("p50").number(-most, most);
    point.p90 = row.at("p90").number(-most, most);
    point.count = static_cast<std::size_t>(row.at("count").integer(1, std::numeric_limits<std::uint32_t>::max()));
    found->points.push_back(std::move(point));
  }
  return study;
}

}  // namespace longhaul
