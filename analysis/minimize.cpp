#include "analysis/minimize.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/least_absolute.hpp"

namespace longhaul {
namespace {

constexpr double difference = 0.01;   // of finite differences, share of the bounds
constexpr double good_enough = 1e-7;  // mean absolute residual that nobody improves

struct Tried {
  Point point;
  std::vector<double> residuals;
  double value = 0;  // mean absolute residual
};

// Counts evaluations, and remembers the best of them.
class Budget {
 public:
  Budget(const Residuals& residuals, std::size_t most) : residuals_(residuals), left_(most) {}

  // As many of the points as the budget allows.
  std::vector<Tried> evaluate(std::vector<Point> points) {
    points.resize(std::min(points.size(), left_));
    left_ -= points.size();
    used_ += points.size();
    std::vector<Tried> tried;
    if (points.empty()) return tried;
    const std::vector<std::vector<double>> residuals = residuals_(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      tried.push_back({points[i], residuals[i], mean_absolute(residuals[i])});
      if (best_.point.empty() || tried.back().value < best_.value) best_ = tried.back();
    }
    return tried;
  }

  const Tried& best() const { return best_; }
  std::size_t used() const { return used_; }
  std::size_t left() const { return left_; }
  bool done() const { return left_ == 0 || best_.value < good_enough; }

 private:
  const Residuals& residuals_;
  std::size_t left_;
  std::size_t used_ = 0;
  Tried best_;
};

Point moved(const Point& from, const std::vector<double>& step, double factor) {
  Point point = from;
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = std::clamp(point[i] + factor * step[i], 0.0, 1.0);
  return point;
}

// Differences towards the middle, so that they stay within the bounds. No rows if the budget does not suffice.
LinearResiduals linearized(const Tried& base, Budget& budget) {
  const std::size_t size = base.point.size();
  if (budget.left() < size) return {};
  std::vector<Point> points(size, base.point);
  for (std::size_t i = 0; i < size; ++i) points[i][i] += base.point[i] > 0.5 ? -difference : difference;
  const std::vector<Tried> tried = budget.evaluate(points);
  LinearResiduals linear{base.residuals, {}};
  for (std::size_t row = 0; row < base.residuals.size(); ++row) {
    std::vector<double> gradient;
    for (std::size_t i = 0; i < size; ++i)
      gradient.push_back((tried[i].residuals[row] - base.residuals[row]) / (points[i][i] - base.point[i]));
    linear.jacobian.push_back(std::move(gradient));
  }
  return linear;
}

// Steps of shrinking reach until one improves. False if none does.
bool improve(const Tried& base, const LinearResiduals& linear, double& reach, Budget& budget) {
  for (int attempt = 0; attempt < 4 && !budget.done(); ++attempt) {
    std::vector<double> lower;
    std::vector<double> upper;
    for (const double coordinate : base.point) {
      lower.push_back(-std::min(reach, coordinate));
      upper.push_back(std::min(reach, 1 - coordinate));
    }
    const std::vector<double> step = least_absolute_step(linear, lower, upper);
    const std::vector<Tried> tried = budget.evaluate({moved(base.point, step, 1), moved(base.point, step, 0.5)});
    if (tried[0].value < base.value * (1 - 1e-6)) {
      reach = std::min(0.5, 2 * reach);
      return true;
    }
    if (tried.size() > 1 && tried[1].value < base.value * (1 - 1e-6)) return true;
    reach /= 4;
  }
  return false;
}

void descend(Budget& budget) {
  double reach = 0.25;
  while (!budget.done() && reach > 1e-5) {
    const Tried base = budget.best();
    const LinearResiduals linear = linearized(base, budget);
    if (linear.jacobian.empty() || !improve(base, linear, reach, budget)) return;
  }
}

// What replaces the worst corner of a sorted simplex: its reflection, moved on if that is the best of all, else moved
// back if it is no better than the second worst.
Tried reflected(const std::vector<Tried>& simplex, const std::vector<double>& towards, Budget& budget) {
  const Tried& worst = simplex.back();
  Tried reflection = budget.evaluate({moved(worst.point, towards, 2)}).front();
  const bool best = reflection.value < simplex.front().value;
  if (budget.left() == 0 || (!best && reflection.value < simplex[simplex.size() - 2].value)) return reflection;
  const double factor = best ? 3 : (reflection.value < worst.value ? 1.5 : 0.5);
  Tried second = budget.evaluate({moved(worst.point, towards, factor)}).front();
  return second.value < reflection.value ? second : reflection;
}

// Nelder and Mead's simplex, clamped to the cube, from the best point so far.
void polish(Budget& budget) {
  const Point start = budget.best().point;
  std::vector<Point> corners;
  for (std::size_t i = 0; i < start.size(); ++i) {
    corners.push_back(start);
    corners.back()[i] += start[i] > 0.5 ? -2 * difference : 2 * difference;
  }
  if (budget.done() || budget.left() < corners.size()) return;
  std::vector<Tried> simplex{budget.best()};
  for (Tried& corner : budget.evaluate(corners)) simplex.push_back(std::move(corner));
  const auto by_value = [](const Tried& a, const Tried& b) { return a.value < b.value; };
  while (!budget.done()) {
    std::stable_sort(simplex.begin(), simplex.end(), by_value);
    double size = 0;
    std::vector<double> towards(start.size(), 0);  // from the worst corner to the middle of the others
    for (std::size_t i = 0; i < start.size(); ++i) {
      for (std::size_t c = 0; c + 1 < simplex.size(); ++c)
        towards[i] += simplex[c].point[i] / static_cast<double>(start.size());
      towards[i] -= simplex.back().point[i];
      size = std::max(size, std::abs(simplex.back().point[i] - simplex.front().point[i]));
    }
    if (size < 1e-5) return;
    const Tried next = reflected(simplex, towards, budget);
    if (next.value < simplex.back().value) {
      simplex.back() = next;
      continue;
    }
    std::vector<Point> shrunk;
    for (std::size_t c = 1; c < simplex.size(); ++c) {
      Point point = simplex[c].point;
      for (std::size_t i = 0; i < point.size(); ++i) point[i] = (point[i] + simplex[0].point[i]) / 2;
      shrunk.push_back(std::move(point));
    }
    std::vector<Tried> tried = budget.evaluate(shrunk);
    if (tried.size() < shrunk.size()) return;
    std::move(tried.begin(), tried.end(), simplex.begin() + 1);
  }
}

}  // namespace

double mean_absolute(const std::vector<double>& residuals) {
  double sum = 0;
  for (const double residual : residuals) sum += std::abs(residual);
  return residuals.empty() ? 0 : sum / static_cast<double>(residuals.size());
}

Minimum minimize_mean_absolute(const Residuals& residuals, const Point& start, std::size_t budget) {
  Budget spending(residuals, std::max<std::size_t>(budget, 1));
  spending.evaluate({start});
  descend(spending);
  polish(spending);
  return {spending.best().point, spending.best().value, spending.used()};
}

}  // namespace longhaul
