#include "analysis/pair_ranking.hpp"

#include <algorithm>

namespace longhaul {
namespace {

RankingResult& result_of(const std::string& group, std::vector<RankingResult>& results) {
  auto found =
      std::find_if(results.begin(), results.end(), [&](const RankingResult& one) { return one.group == group; });
  if (found == results.end()) {
    found = results.insert(results.end(), RankingResult());
    found->group = group;
  }
  return *found;
}

bool counts(const RankedCase& a, const RankedCase& b) {
  if (a.group != b.group || a.compared_for != b.compared_for) return false;
  const auto [smaller, larger] = std::minmax(a.recorded, b.recorded);
  return larger / smaller - 1 > std::max(a.differ_by, b.differ_by);
}

}  // namespace

std::vector<RankingResult> rankings_of(const std::vector<RankedCase>& cases) {
  std::vector<RankingResult> results;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    RankingResult& result = result_of(cases[i].group, results);
    for (std::size_t j = i + 1; j < cases.size(); ++j) {
      const RankedCase& a = cases[i];
      const RankedCase& b = cases[j];
      if (!counts(a, b)) continue;
      ++result.pairs;
      const bool right = a.recorded < b.recorded ? a.simulated < b.simulated : a.simulated > b.simulated;
      if (right)
        ++result.right;
      else
        result.wrong.emplace_back(a.label, b.label);
    }
  }
  return results;
}

}  // namespace longhaul
