// How far two lists of values rank their items alike: 1 = in the same order, -1 = in the opposite one.
#pragma once

#include <optional>
#include <vector>

namespace longhaul {

/// Spearman's rho: Pearson's correlation of the ranks, equal values sharing their mean rank. Kendall's tau-b: pairs in
/// the same order less pairs in the opposite one, over sqrt(pairs not equal in x * pairs not equal in y).
/// Nothing with fewer than two items or where all values of a list are equal.
struct RankCorrelation {
  double spearman = 0;
  double kendall = 0;
};
std::optional<RankCorrelation> rank_correlation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace longhaul
