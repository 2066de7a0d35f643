#include "analysis/crossover.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/base/error.hpp"
#include "sim/base/parallel.hpp"

namespace longhaul {
namespace {

constexpr int first_step = -4, last_step = 8, steps_per_decade = 4;  // of the grid
constexpr double precision = 1.01;                                   // of a crossover's factor
constexpr double tie = 1e-9;                                         // relative; plans as fast as each other

class Search {
 public:
  Search(std::string links, const Rerunner& rerunner) : links_(std::move(links)), rerunner_(rerunner) {}

  Crossovers find() {
    Crossovers result{links_, {}, {}};
    std::vector<double> factors;
    for (int step = first_step; step <= last_step; ++step) {
      const double factor = std::pow(10, static_cast<double>(step) / steps_per_decade);
      if (rerunner_.can({{WhatIf::Of::bandwidth, links_, factor}})) factors.push_back(factor);
    }
    result.grid = measure(factors);
    for (std::size_t i = 1; i < result.grid.size(); ++i)
      add_between(result.grid[i - 1], result.grid[i], result.found);
    return result;
  }

 private:
  std::vector<PlansAt> measure(const std::vector<double>& factors) const {
    const std::size_t plans = rerunner_.plans.size();
    const auto run = [&](std::size_t index) {
      const WhatIf change{WhatIf::Of::bandwidth, links_, factors[index / plans]};
      const double end = rerunner_.run(index % plans, {change}, Extent::simulated).timeline.end.value;
      std::string bytes(sizeof end, '\0');
      std::memcpy(bytes.data(), &end, sizeof end);
      return bytes;
    };
    const auto show = [&](double share) {
      if (rerunner_.progress && factors.size() > 1) rerunner_.progress("crossovers", share);
    };
    const std::vector<std::string> answers = parallel_map(factors.size() * plans, rerunner_.processes, run, show);
    std::vector<PlansAt> points;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      PlansAt point{factors[i], std::vector<Seconds>(plans), 0};
      for (std::size_t plan = 0; plan < plans; ++plan) {
        const std::string& bytes = answers[i * plans + plan];
        require(bytes.size() == sizeof(double), "an iteration's bytes are too few");
        std::memcpy(&point.iteration[plan].value, bytes.data(), bytes.size());
        if (point.iteration[plan] < point.iteration[point.best] * (1 - tie)) point.best = plan;
      }
      points.push_back(std::move(point));
    }
    return points;
  }

  void add_between(const PlansAt& low, const PlansAt& high, std::vector<Crossover>& found) const {
    if (low.best == high.best) return;
    const double middle = std::sqrt(low.factor * high.factor);
    if (high.factor / low.factor < precision) {
      found.push_back({middle, low.best, high.best});
      return;
    }
    const PlansAt between = measure({middle}).front();
    add_between(low, between, found);
    add_between(between, high, found);
  }

  std::string links_;
  const Rerunner& rerunner_;
};

}  // namespace

Crossovers find_crossovers(const std::string& links, const Rerunner& rerunner) {
  return Search(links, rerunner).find();
}

}  // namespace longhaul
