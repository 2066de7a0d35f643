#include "analysis/study_json.hpp"

#include <functional>

#include <nlohmann/json.hpp>

namespace longhaul {
namespace {

using Json = nlohmann::ordered_json;

Json object_of(const StudyAxis& axis, const std::vector<StudyAxis>& axes) {
  Json labels = Json::array();
  for (const AxisValue& value : axis.values) labels.push_back(value.label);
  const std::vector<double> numbers = axis.numbers();
  Json json{{"name", axis.name},        {"values", labels},
            {"numeric", Json(numbers)}, {"unit", axis.unit()},
            {"samples", axis.samples},  {"plan", axis.planning == Planning::held ? "held" : "anew"}};
  if (axis.only_on) json["only"] = {{"axis", axes[*axis.only_on].name}, {"values", axis.only_values}};
  return json;
}

Json object_of(const Study& study) {
  Json axes = Json::array();
  for (const StudyAxis& axis : study.axes) axes.push_back(object_of(axis, study.axes));
  Json json{{"name", study.name}, {"description", study.description}, {"axes", axes}, {"metrics", study.metrics}};
  if (const auto& figure = study.figure) {
    json["figure"] = {{"title", figure->title}, {"x", figure->x}, {"y", figure->y}, {"y_label", figure->y_label}};
    if (figure->reference) json["figure"]["reference"] = *figure->reference;
  }
  return json;
}

// With the point's values on the axes in words.
Json object_of(const Study& study, const StudyPoint& point) {
  Json axes = Json::object();
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    if (point[axis]) axes[study.axes[axis].name] = study.axes[axis].values[*point[axis]].label;
  return axes;
}

Json values_of(const Study& study, const StudyRow& row) {
  Json values = Json::object();
  for (std::size_t i = 0; i < study.metrics.size(); ++i)
    values[study.metrics[i]] = row.values[i] ? Json(*row.values[i]) : Json();
  return values;
}

StudyAxis axis_of(const Json& json, const std::vector<StudyAxis>& earlier) {
  StudyAxis axis;
  axis.name = json.at("name");
  for (const Json& label : json.at("values")) axis.values.push_back({label, {}});
  axis.samples = json.at("samples");
  axis.planning = json.at("plan") == "held" ? Planning::held : Planning::anew;
  if (json.contains("only")) {
    for (std::size_t i = 0; i < earlier.size(); ++i)
      if (earlier[i].name == json["only"].at("axis")) axis.only_on = i;
    axis.only_values = json["only"].at("values").get<std::vector<std::size_t>>();
  }
  return axis;
}

template <class Result>
Result parsed(const std::string& line, const Location& where, const std::function<Result(const Json&)>& read) {
  try {
    return read(Json::parse(line));
  } catch (const nlohmann::json::exception& problem) {
    throw UserError(where, "this is no line of a sweep's journal", problem.what(),
                    "a file that `longhaul sweep` wrote");
  }
}

}  // namespace

std::string study_line(const Study& study) { return object_of(study).dump(); }

Study study_of_line(const std::string& line, const Location& where) {
  return parsed<Study>(line, where, [](const Json& json) {
    Study study;
    study.name = json.at("name");
    study.description = json.at("description");
    for (const Json& axis : json.at("axes")) study.axes.push_back(axis_of(axis, study.axes));
    study.metrics = json.at("metrics").get<std::vector<std::string>>();
    if (json.contains("figure")) {
      const Json& figure = json["figure"];
      study.figure = StudyFigure{figure.at("title"), figure.at("x"), figure.at("y"), figure.at("y_label"), {}};
      if (figure.contains("reference")) study.figure->reference = figure["reference"].get<std::size_t>();
    }
    return study;
  });
}

std::string row_line(const Study& study, const StudyRow& row) {
  Json json{{"point", row.point}, {"values", values_of(study, row)}};
  if (!row.error.empty()) json["error"] = row.error;
  return json.dump();
}

StudyRow row_of_line(const Study& study, const std::string& line, const Location& where) {
  return parsed<StudyRow>(line, where, [&](const Json& json) {
    StudyRow row;
    row.point = json.at("point");
    for (const std::string& metric : study.metrics) {
      const Json& value = json.at("values").at(metric);
      row.values.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
    }
    if (json.contains("error")) row.error = json["error"];
    return row;
  });
}

std::string results_json(const StudyResults& results) {
  const Study& study = results.study;
  const std::vector<StudyPoint> points = points_of(study);
  Json rows = Json::array();
  for (const StudyRow& row : results.rows) {
    rows.push_back(
        {{"point", row.point}, {"axes", object_of(study, points[row.point])}, {"values", values_of(study, row)}});
    if (!row.error.empty()) rows.back()["error"] = row.error;
  }
  Json summaries = Json::array();
  for (const StudySummary& summary : summaries_of(results)) {
    if (summary.count == 0) continue;
    summaries.push_back({{"axes", object_of(study, summary.point)},
                         {"metric", study.metrics[summary.metric]},
                         {"count", summary.count},
                         {"mean", summary.mean},
                         {"p10", summary.p10},
                         {"p50", summary.p50},
                         {"p90", summary.p90}});
  }
  return Json{{"study", object_of(study)}, {"rows", rows}, {"summary", summaries}}.dump(2) + "\n";
}

}  // namespace longhaul
