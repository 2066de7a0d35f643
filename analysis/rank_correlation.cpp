#include "analysis/rank_correlation.hpp"

#include <cmath>
#include <cstddef>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// From 0; equal values share their mean rank.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    std::size_t less = 0;
    std::size_t equal = 0;
    for (const double other : values) {
      if (other < value) ++less;
      if (other == value) ++equal;
    }
    ranks.push_back(static_cast<double>(less) + (static_cast<double>(equal) - 1) / 2);
  }
  return ranks;
}

int sign(double value) { return (value > 0) - (value < 0); }

}  // namespace

std::optional<RankCorrelation> rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  require(x.size() == y.size(), "a rank correlation needs pairs");
  const std::vector<double> a = ranks_of(x);
  const std::vector<double> b = ranks_of(y);
  const double middle = (static_cast<double>(x.size()) - 1) / 2;
  double both = 0;
  double spread_a = 0;
  double spread_b = 0;
  double agree = 0;
  double pairs_a = 0;
  double pairs_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - middle) * (b[i] - middle);
    spread_a += (a[i] - middle) * (a[i] - middle);
    spread_b += (b[i] - middle) * (b[i] - middle);
    for (std::size_t j = 0; j < i; ++j) {
      agree += sign(a[i] - a[j]) * sign(b[i] - b[j]);
      pairs_a += a[i] != a[j] ? 1 : 0;
      pairs_b += b[i] != b[j] ? 1 : 0;
    }
  }
  if (pairs_a == 0 || pairs_b == 0) return std::nullopt;
  return RankCorrelation{both / std::sqrt(spread_a * spread_b), agree / std::sqrt(pairs_a * pairs_b)};
}

}  // namespace longhaul
