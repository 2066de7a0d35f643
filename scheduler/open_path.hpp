// Open-loop travelling salesman: the order of the groups along the pipeline with the smallest sum of edges (DT-FM's
// PIPELINEP-COST, arXiv 2206.01288 section 3.3).
#pragma once

#include <cstdint>
#include <vector>

namespace longhaul {

/// Working memory for paths over a fixed number of groups, reused from call to call.
///
/// Up to kExactLimit groups the answer is optimal: Held and Karp's dynamic programme over sets (1962), run on the two
/// arms that leave group 0, which needs less than half the steps that a programme over all groups would. Above it:
/// nearest neighbour from every group, the best improved by 2-opt and or-opt until neither helps. That is an upper
/// bound.
class OpenPath {
 public:
  static constexpr std::size_t kExactLimit = 16;

  /// How that many groups are ordered, in words.
  static const char* method(std::size_t groups);

  explicit OpenPath(std::size_t groups);

  /// Orders the groups; `edges` is a symmetric row-major groups x groups matrix of finite numbers whose diagonal is
  /// ignored. Returns the sum of the edges along order(), added up from its front.
  double solve(const double* edges);

  /// After solve(): the groups from one end to the other. Group order.front() < order.back(); ties as near to
  /// ascending as the method gives, always the same for the same edges.
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  void solve_exactly(const double* edges);
  void solve_roughly(const double* edges);
  double arm(std::size_t set, std::size_t last) const;
  void append_arm(const double* edges, std::size_t set);

  std::size_t groups_;
  std::size_t lanes_ = 0;         // groups but 0, rounded up to what vector instructions take at once
  std::vector<double> edge_;      // [last * lanes + next], groups numbered without group 0
  std::vector<double> way_;       // [set * lanes + next]: shortest way from group 0 through `set` to next, not in it
  std::vector<double> shortest_;  // [set]: shortest way from group 0 through `set`
  std::vector<std::uint32_t> order_;
};

}  // namespace longhaul
