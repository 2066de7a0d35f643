#include "analysis/calibration.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/minimize.hpp"

namespace longhaul {
namespace {

std::vector<std::string> keys_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> keys;
  for (const Parameter& parameter : parameters) keys.push_back(parameter.key);
  return keys;
}

void check_same_bounds(const Parameter& a, const Parameter& b) {
  if (a.unit == b.unit && a.low == b.low && a.high == b.high) return;
  throw UserError(b.where, fmt::format("other bounds for {} than in {}", b.key, a.where.file),
                  "one search has one set of bounds", fmt::format("[{}, {}]", text_of(a, a.low), text_of(a, a.high)));
}

void check_not_set(const Parameter& parameter, const std::vector<Suite>& suites) {
  for (const Suite& suite : suites)
    for (const SuiteCase& one : suite.cases)
      for (const Override& own : one.overrides)
        if (own.key == parameter.key)
          throw own.value.error(fmt::format("{} is set here and to be fitted", parameter.key),
                                "the case would not feel the fit", "another value of --fit, or no such value here");
}

// The start of the search, from the scenario of the first case that can tell.
double start_of(const Parameter& parameter, const std::vector<Suite>& suites, const CaseRunner& runner) {
  const double middle = (parameter.low + parameter.high) / 2;
  for (const Suite& suite : suites) {
    const auto named = std::find_if(suite.fit.begin(), suite.fit.end(),
                                    [&](const Parameter& other) { return other.key == parameter.key; });
    if (named == suite.fit.end()) continue;
    std::optional<Config> node = Config::parse(runner.resolved(suite.cases.front()), "the resolved scenario");
    for (std::size_t from = 0; node && from < parameter.key.size();) {
      const std::size_t dot = std::min(parameter.key.find('.', from), parameter.key.size());
      node = node->is_map() ? node->find(parameter.key.substr(from, dot - from)) : std::nullopt;
      from = dot + 1;
    }
    const bool is_value = node && !node->is_map() && !node->is_list() && !node->is_nothing();
    const std::optional<double> value = is_value ? value_in_unit(parameter, node->text()) : std::nullopt;
    return value ? std::clamp(*value, parameter.low, parameter.high) : middle;
  }
  return middle;
}

// Runs all cases of all suites for each of several choices of values.
class Evaluator {
 public:
  Evaluator(const std::vector<Suite>& suites, const std::vector<Parameter>& parameters, const CaseRunner& runner)
      : base_(trials_of(suites)), parameters_(parameters), runner_(runner) {}

  // Relative errors of the cases for each choice; an empty choice leaves the scenarios as they are.
  std::vector<std::vector<double>> errors(const std::vector<std::vector<double>>& choices) const {
    std::vector<Trial> trials;
    for (const std::vector<double>& values : choices)
      for (Trial trial : base_) {
        for (std::size_t i = 0; i < values.size(); ++i)
          trial.what.overrides.push_back(
              {parameters_[i].key, Config::of_text(text_of(parameters_[i], values[i]), parameters_[i].where)});
        trials.push_back(std::move(trial));
      }
    const std::vector<double> simulated = simulated_values(trials, runner_);
    std::vector<std::vector<double>> result(choices.size());
    for (std::size_t i = 0; i < trials.size(); ++i)
      result[i / base_.size()].push_back(simulated[i] / trials[i].what.recorded - 1);
    return result;
  }

 private:
  std::vector<Trial> base_;
  const std::vector<Parameter>& parameters_;
  const CaseRunner& runner_;
};

double value_at(const Parameter& parameter, double coordinate) {
  return parameter.low + coordinate * (parameter.high - parameter.low);
}

double rounded(const Parameter& parameter, double value) {
  const double near = std::stod(fmt::format("{:.4e}", value));
  return std::clamp(near, parameter.low, parameter.high);
}

std::vector<SuiteFit> fits_of(const std::vector<Suite>& suites, const std::vector<double>& before,
                              const std::vector<double>& after) {
  std::vector<SuiteFit> fits;
  std::ptrdiff_t first = 0;
  const auto part = [&](const std::vector<double>& all, std::size_t count) {
    return mean_absolute({all.begin() + first, all.begin() + first + static_cast<std::ptrdiff_t>(count)});
  };
  for (const Suite& suite : suites) {
    const std::size_t count = suite.cases.size();
    fits.push_back({suite.name, count, part(before, count), part(after, count)});
    first += static_cast<std::ptrdiff_t>(count);
  }
  return fits;
}

}  // namespace

std::vector<Parameter> parameters_of(const std::vector<Suite>& suites, const std::vector<std::string>& wanted) {
  std::vector<Parameter> all;
  for (const Suite& suite : suites) {
    if (suite.group != SuiteGroup::calibrate)
      throw UserError({suite.file, 1, 1}, fmt::format("suite '{}' is of group {}", suite.name, name_of(suite.group)),
                      "nothing is ever fitted on it", "suites with group: calibrate");
    for (const Parameter& parameter : suite.fit) {
      const auto same =
          std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.key == parameter.key; });
      if (same == all.end())
        all.push_back(parameter);
      else
        check_same_bounds(*same, parameter);
    }
  }
  if (all.empty())
    throw UserError({suites.front().file, 1, 1}, "no suite names parameters to fit", "", "fit: {key: [low, high]}");
  std::vector<Parameter> chosen;
  for (const std::string& key : wanted)
    if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.key == key; }))
      throw UserError({"--fit " + key, 0, 0}, "no suite gives bounds for this key", "",
                      fmt::format("{}", fmt::join(keys_of(all), ", ")));
  for (const Parameter& parameter : all)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), parameter.key) != wanted.end())
      chosen.push_back(parameter);
  for (const Parameter& parameter : chosen) check_not_set(parameter, suites);
  return chosen;
}

Calibration calibrate(const std::vector<Suite>& suites, const std::vector<Parameter>& parameters,
                      const CaseRunner& runner, std::size_t evaluations) {
  check_cases(suites, runner);
  CaseRunner watched = runner;  // progress is told per batch of points; what counts is the whole
  std::size_t tried = 0;
  if (runner.progress)
    watched.progress = [&](double) {
      runner.progress(static_cast<double>(tried) / static_cast<double>(evaluations + 2 * parameters.size() + 2));
    };
  const Evaluator evaluator(suites, parameters, watched);
  Calibration result;
  Point start;
  for (const Parameter& parameter : parameters) {
    FittedParameter fitted{parameter, start_of(parameter, suites, runner), 0, {}, {}};
    start.push_back((fitted.start - parameter.low) / (parameter.high - parameter.low));
    result.parameters.push_back(std::move(fitted));
  }
  const Residuals residuals = [&](const std::vector<Point>& points) {
    std::vector<std::vector<double>> choices;
    for (const Point& point : points) {
      choices.emplace_back();
      for (std::size_t i = 0; i < point.size(); ++i) choices.back().push_back(value_at(parameters[i], point[i]));
    }
    std::vector<std::vector<double>> errors = evaluator.errors(choices);
    tried += points.size();
    return errors;
  };
  const Minimum minimum = minimize_mean_absolute(residuals, start, evaluations);
  result.evaluations = minimum.evaluations;

  std::vector<double> best;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    best.push_back(rounded(parameters[i], value_at(parameters[i], minimum.point[i])));
    result.parameters[i].fitted = best.back();
  }
  std::vector<std::vector<double>> choices{{}, best};  // as it was, as it is; then each parameter up and down
  for (std::size_t i = 0; i < parameters.size(); ++i)
    for (const double factor : {1.1, 0.9}) {
      choices.push_back(best);
      choices.back()[i] = std::clamp(best[i] * factor, parameters[i].low, parameters[i].high);
    }
  const std::vector<std::vector<double>> errors = evaluator.errors(choices);
  result.before = mean_absolute(errors[0]);
  result.after = mean_absolute(errors[1]);
  result.suites = fits_of(suites, errors[0], errors[1]);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    result.parameters[i].up = {choices[2 + 2 * i][i], mean_absolute(errors[2 + 2 * i])};
    result.parameters[i].down = {choices[3 + 2 * i][i], mean_absolute(errors[3 + 2 * i])};
  }
  return result;
}

}  // namespace longhaul
