#include "analysis/least_absolute.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace longhaul {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// Gauss elimination with pivoting; the matrix is positive definite but for rounding, which the ridge takes care of.
Vector solve(Matrix matrix, Vector right) {
  const std::size_t size = right.size();
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t pivot = i;
    for (std::size_t row = i + 1; row < size; ++row)
      if (std::abs(matrix[row][i]) > std::abs(matrix[pivot][i])) pivot = row;
    std::swap(matrix[i], matrix[pivot]);
    std::swap(right[i], right[pivot]);
    for (std::size_t row = i + 1; row < size; ++row) {
      const double factor = matrix[row][i] / matrix[i][i];
      for (std::size_t column = i; column < size; ++column) matrix[row][column] -= factor * matrix[i][column];
      right[row] -= factor * right[i];
    }
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t column = i + 1; column < size; ++column) right[i] -= matrix[i][column] * right[column];
    right[i] /= matrix[i][i];
  }
  return right;
}

// Weighted least squares over the free coordinates; the others keep their value in `step`.
void solve_free(const LinearResiduals& problem, const Vector& weights, const std::vector<std::size_t>& free,
                Vector& step) {
  const std::size_t size = free.size();
  Matrix matrix(size, Vector(size, 0));
  Vector right(size, 0);
  for (const std::size_t coordinate : free) step[coordinate] = 0;
  double trace = 0;
  for (std::size_t row = 0; row < problem.residuals.size(); ++row) {
    const Vector& gradient = problem.jacobian[row];
    double residual = problem.residuals[row];
    for (std::size_t i = 0; i < step.size(); ++i) residual += gradient[i] * step[i];
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) matrix[i][j] += weights[row] * gradient[free[i]] * gradient[free[j]];
      right[i] -= weights[row] * gradient[free[i]] * residual;
      trace += weights[row] * gradient[free[i]] * gradient[free[i]];
    }
  }
  for (std::size_t i = 0; i < size; ++i) matrix[i][i] += 1e-9 * trace + 1e-30;  // parameters that change nothing
  const Vector solution = solve(std::move(matrix), std::move(right));
  for (std::size_t i = 0; i < size; ++i) step[free[i]] = solution[i];
}

// Holds whatever leaves the box at its edge, and solves for the rest, until nothing leaves.
Vector boxed_step(const LinearResiduals& problem, const Vector& weights, const Vector& lower, const Vector& upper) {
  Vector step(lower.size(), 0);
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < step.size(); ++i) free.push_back(i);
  while (!free.empty()) {
    solve_free(problem, weights, free, step);
    const auto leaves = [&](std::size_t i) { return step[i] < lower[i] || step[i] > upper[i]; };
    const std::vector<std::size_t> before = free;
    free.erase(std::remove_if(free.begin(), free.end(), leaves), free.end());
    for (const std::size_t i : before) step[i] = std::clamp(step[i], lower[i], upper[i]);
    if (free.size() == before.size()) break;
  }
  return step;
}

}  // namespace

std::vector<double> least_absolute_step(const LinearResiduals& problem, const std::vector<double>& lower,
                                        const std::vector<double>& upper) {
  constexpr int rounds = 40;
  constexpr double smallest = 1e-6;  // residuals below this weigh alike
  Vector weights(problem.residuals.size(), 1);
  Vector step;
  for (int round = 0; round < rounds; ++round) {
    step = boxed_step(problem, weights, lower, upper);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      double residual = problem.residuals[row];
      for (std::size_t i = 0; i < step.size(); ++i) residual += problem.jacobian[row][i] * step[i];
      weights[row] = 1 / std::max(std::abs(residual), smallest);
    }
  }
  return step;
}

}  // namespace longhaul
