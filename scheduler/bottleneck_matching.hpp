// Bottleneck perfect matching between two groups of devices: pair them off so that the slowest pair is as fast as
// possible. DT-FM's pipeline edge between two groups (arXiv 2206.01288, section 3.3).
#pragma once

#include <cstdint>
#include <vector>

namespace longhaul {

/// Working memory for matchings between groups of one size, reused from call to call.
///
/// The threshold starts at the largest of the row and column minima, which no perfect matching can beat, and a
/// matching grows in the graph of the edges at or below it. Where a device cannot be matched, the failed search is
/// Hall's witness: every perfect matching needs an edge from the devices reached on the left to one not reached on
/// the right, so the threshold jumps to the lightest such edge and the search goes on. Adjacency is kept as bit sets.
class BottleneckMatcher {
 public:
  explicit BottleneckMatcher(std::size_t group_size);

  /// The weight of the heaviest pair in the best perfect matching between two groups of `group_size` devices each.
  /// `weights` is a row-major matrix over all devices with `stride` columns; the weight of (i, j) is
  /// weights[left[i] * stride + right[j]]. Weights may be infinite but not NaN.
  double match(const double* weights, std::size_t stride, const std::uint32_t* left, const std::uint32_t* right);

  /// After match(): for each i on the left, the j on the right it is paired with. Ties go to the lowest index.
  const std::vector<std::uint32_t>& partners() const { return column_of_row_; }

 private:
  double gather(const double* weights, std::size_t stride, const std::uint32_t* left, const std::uint32_t* right);
  void connect(double threshold);
  bool augment(std::size_t row);
  double lightest_way_out(std::size_t root) const;
  void pair(std::size_t row, std::size_t column);

  std::size_t size_;
  std::size_t words_;          // 64-bit words of a set of columns
  std::vector<double> block_;  // size x size weights of the call
  std::vector<double> column_minimum_;
  std::vector<std::uint64_t> adjacent_;  // words_ per row: columns at or below the threshold
  std::vector<std::uint64_t> free_;      // columns without a row
  std::vector<std::uint64_t> unseen_;    // columns not reached by the current search
  std::vector<std::uint32_t> row_of_column_;
  std::vector<std::uint32_t> column_of_row_;
};

}  // namespace longhaul
